/** {@code GET /api/{feed}}: reads a page and writes it. */
package dev.tidemark.http.page;

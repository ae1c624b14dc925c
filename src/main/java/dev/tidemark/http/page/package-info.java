/** {@code GET /api} and {@code GET /api/{feed}}: the list of feeds, and the pages of each feed. */
package dev.tidemark.http.page;

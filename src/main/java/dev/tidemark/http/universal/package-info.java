/** {@code GET /v3/{feed}}: the universal protocol and its two paging strategies. */
package dev.tidemark.http.universal;

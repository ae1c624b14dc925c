/** {@code GET /api} and {@code GET /api/{feed}}: the list of feeds, and the pages of each feed. */
@NullMarked
package dev.tidemark.http.page;

import org.jspecify.annotations.NullMarked;

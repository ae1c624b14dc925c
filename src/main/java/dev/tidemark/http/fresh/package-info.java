/** {@code GET /api/{feed}/fresh}: counts of new items, once or as an event stream. */
@NullMarked
package dev.tidemark.http.fresh;

import org.jspecify.annotations.NullMarked;

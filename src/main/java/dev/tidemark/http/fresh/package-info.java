/** {@code GET /api/{feed}/fresh}: counts of new items, once or as an event stream. */
package dev.tidemark.http.fresh;

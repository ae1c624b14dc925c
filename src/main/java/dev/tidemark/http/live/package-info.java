/** {@code GET /api/{feed}/live}: event streams that keep a part of a list true. */
@NullMarked
package dev.tidemark.http.live;

import org.jspecify.annotations.NullMarked;

/** {@code GET /api/{feed}/live}: event streams that keep a part of a list true. */
package dev.tidemark.http.live;

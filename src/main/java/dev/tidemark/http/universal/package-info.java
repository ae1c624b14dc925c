/**
 * {@code GET /v3/{feed}}: the parameters of the universal protocol, and the choice between its two paging strategies.
 */
@NullMarked
package dev.tidemark.http.universal;

import org.jspecify.annotations.NullMarked;

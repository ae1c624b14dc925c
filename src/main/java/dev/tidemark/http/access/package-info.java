/** Checks whether the caller of a request may read a feed. */
@NullMarked
package dev.tidemark.http.access;

import org.jspecify.annotations.NullMarked;

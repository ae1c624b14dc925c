/** Compresses and streams the bodies of responses. */
@NullMarked
package dev.tidemark.http.bodies;

import org.jspecify.annotations.NullMarked;

/** Serves changed declarations without a restart. */
@NullMarked
package dev.tidemark.declare.reload;

import org.jspecify.annotations.NullMarked;

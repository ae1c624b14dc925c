/** Serves changed declarations without a restart. */
package dev.tidemark.declare.reload;

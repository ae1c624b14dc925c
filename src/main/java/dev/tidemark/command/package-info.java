/** The commands that run instead of the server. */
@NullMarked
package dev.tidemark.command;

import org.jspecify.annotations.NullMarked;

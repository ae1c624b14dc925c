/** Checks the files and environment variables that settings come from, and locates properties in them. */
@NullMarked
package dev.tidemark.settings;

import org.jspecify.annotations.NullMarked;

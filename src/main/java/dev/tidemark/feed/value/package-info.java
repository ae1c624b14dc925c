/** Parses and formats the values of PostgreSQL types. */
@NullMarked
package dev.tidemark.feed.value;

import org.jspecify.annotations.NullMarked;

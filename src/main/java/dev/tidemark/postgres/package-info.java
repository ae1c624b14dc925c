/** Reads the pages of feeds, and counts the items of lists, with the reactive PostgreSQL client. */
@NullMarked
package dev.tidemark.postgres;

import org.jspecify.annotations.NullMarked;

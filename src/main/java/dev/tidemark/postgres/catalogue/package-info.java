/** Reads the feeds' relations, their indexes, and the role's privileges from {@code pg_catalog}. */
@NullMarked
package dev.tidemark.postgres.catalogue;

import org.jspecify.annotations.NullMarked;

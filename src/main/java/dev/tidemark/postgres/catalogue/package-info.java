/** Reads the feeds' relations, their indexes, and the role's privileges from {@code pg_catalog}. */
package dev.tidemark.postgres.catalogue;

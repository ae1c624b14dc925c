/** What {@code pg_catalog} and the planner say about the tables of the feeds. */
package dev.tidemark.postgres.catalogue;

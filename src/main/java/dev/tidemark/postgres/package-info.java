/** Reads the pages of feeds, and counts the items of lists, with the reactive PostgreSQL client. */
package dev.tidemark.postgres;

/** Reads and counts the pages of feeds with the reactive PostgreSQL client. */
package dev.tidemark.postgres;

/** Reads feeds from PostgreSQL: the catalogue, the keyset statements, and pages through the reactive client. */
package dev.tidemark.postgres;

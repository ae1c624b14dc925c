/** Pools and connections: sessions, deadlines, and failures of the database. */
package dev.tidemark.postgres.connection;

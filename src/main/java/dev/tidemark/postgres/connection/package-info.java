/**
 * Pools and connections to the database, the settings of their sessions, the deadlines of statements, and the handling
 * of failures.
 */
package dev.tidemark.postgres.connection;

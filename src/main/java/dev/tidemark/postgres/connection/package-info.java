/**
 * Pools and connections to the database, the settings of their sessions, the deadlines of statements, and the handling
 * of failures.
 */
@NullMarked
package dev.tidemark.postgres.connection;

import org.jspecify.annotations.NullMarked;

/**
 * Pools and connections to the database, the settings of their sessions, the deadlines of statements, and the handling
 * of failures.
 *
 * <p>A query is sent by {@link dev.tidemark.postgres.connection.QueryRouter}: over a {@code PinnedConnection}, whose
 * {@code InFlightStatements} assign the answers to the statements, or over the pool of a {@code PoolStatementRunner}.
 * Both pass the result or the failure to the handler that the router gave them.
 */
@NullMarked
package dev.tidemark.postgres.connection;

import org.jspecify.annotations.NullMarked;

/**
 * Pools and connections to the database, the settings of their sessions, the deadlines of statements, and the handling
 * of failures.
 *
 * <p>A {@link dev.tidemark.postgres.sql.Statement} with its values is a
 * {@link dev.tidemark.postgres.connection.Query}, and with a receiver of its rows on one host an
 * {@link dev.tidemark.postgres.connection.Execution}. {@link dev.tidemark.postgres.connection.QueryRouter} chooses the
 * connection, and {@code PinnedConnection.send} or {@code PooledConnection.execute}, in {@code PoolStatementRunner},
 * sends. The {@code InFlightStatements} of a pinned connection assign the answers to the statements. The result or the
 * failure goes to the handler that the router gave.
 */
@NullMarked
package dev.tidemark.postgres.connection;

import org.jspecify.annotations.NullMarked;

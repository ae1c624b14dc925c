/**
 * Everything in the packages of PostgreSQL that depends on internals of the driver, or on channels and buffers of
 * Netty. Other packages use only {@link dev.tidemark.postgres.wire.Wire},
 * {@link dev.tidemark.postgres.wire.OpenConnections}, and {@link dev.tidemark.postgres.wire.DriverFailures}. The
 * driver sends statements, {@code NettyWire} gathers the writes of one turn of the event loop, and {@code RowTap}
 * takes the rows out of the answers.
 */
@NullMarked
package dev.tidemark.postgres.wire;

import org.jspecify.annotations.NullMarked;

/**
 * Everything in the packages of PostgreSQL that depends on internals of the driver, or on channels and buffers of Netty.
 * Other packages use only {@link dev.tidemark.postgres.wire.Wire}, {@link dev.tidemark.postgres.wire.OpenConnections}, and
 * {@link dev.tidemark.postgres.wire.DriverFailures}. No statement is sent from here: the driver sends it, and
 * {@code RowTap} takes the rows out of the answer.
 */
@NullMarked
package dev.tidemark.postgres.wire;

import org.jspecify.annotations.NullMarked;

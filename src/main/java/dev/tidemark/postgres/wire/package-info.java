/**
 * Everything in the packages of PostgreSQL that depends on internals of the driver, or on channels and buffers of Netty.
 * Other packages use only {@link dev.tidemark.postgres.wire.Wire}, {@link dev.tidemark.postgres.wire.OpenConnections}, and
 * {@link dev.tidemark.postgres.wire.DriverFailures}.
 */
@NullMarked
package dev.tidemark.postgres.wire;

import org.jspecify.annotations.NullMarked;

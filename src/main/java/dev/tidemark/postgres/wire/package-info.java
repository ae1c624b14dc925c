/**
 * Everything that depends on the internals of the driver and of Netty. Other packages use only
 * {@link dev.tidemark.postgres.wire.Wire}, {@link dev.tidemark.postgres.wire.OpenConnections}, and
 * {@link dev.tidemark.postgres.wire.DriverFailures}.
 */
package dev.tidemark.postgres.wire;

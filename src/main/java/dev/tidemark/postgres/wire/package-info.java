/**
 * Everything that depends on the internals of the driver and of Netty, behind {@link dev.tidemark.postgres.wire.Wire}.
 */
package dev.tidemark.postgres.wire;

/** Rows as the driver receives them; everything that depends on the internals of the driver. */
package dev.tidemark.postgres.wire;

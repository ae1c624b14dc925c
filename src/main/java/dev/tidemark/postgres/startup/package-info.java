/** Checks the configured URL of the database, waits for the database at startup, and reports its readiness. */
@NullMarked
package dev.tidemark.postgres.startup;

import org.jspecify.annotations.NullMarked;

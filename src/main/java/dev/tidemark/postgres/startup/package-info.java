/** Checks the configured URL of the database, waits for the database at startup, and reports its readiness. */
package dev.tidemark.postgres.startup;

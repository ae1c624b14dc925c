/** Detects changes to tables by {@code LISTEN}/{@code NOTIFY} and by polling. */
package dev.tidemark.postgres.changes;

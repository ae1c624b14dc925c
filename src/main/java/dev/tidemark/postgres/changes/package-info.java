/** Detects changes to tables by {@code LISTEN}/{@code NOTIFY} and by polling. */
@NullMarked
package dev.tidemark.postgres.changes;

import org.jspecify.annotations.NullMarked;

/** Builds the SQL of all statements that read feeds, and the parameters of each statement. */
@NullMarked
package dev.tidemark.postgres.sql;

import org.jspecify.annotations.NullMarked;

/** Builds the SQL of all statements that read feeds, and the parameters of each statement. */
package dev.tidemark.postgres.sql;

/** The statements: their shapes, their SQL and their parameters. */
package dev.tidemark.postgres.sql;

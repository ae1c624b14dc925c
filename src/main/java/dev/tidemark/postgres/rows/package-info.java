/** The rows of a statement, as the driver decodes them or as PostgreSQL sends them. */
package dev.tidemark.postgres.rows;

package dev.tidemark.postgres.sql;

/**
 * A gap in a statement.
 *
 * @param firstParameter the number of the parameter that is the position's first value that is not NULL
 */
record BoundGap(GapShape shape, int firstParameter) {}

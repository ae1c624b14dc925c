package dev.tidemark.postgres.sql;

/**
 * A gap with the numbers of its parameters in a statement.
 *
 * @param firstParameter the number of the parameter for the position's first non-NULL value
 */
record BoundGap(GapShape shape, int firstParameter) {}

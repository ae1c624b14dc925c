package dev.tidemark.http.query;

import dev.tidemark.paging.Direction;

/**
 * A start at a number of rows from the start of the list.
 *
 * @param precedingCount the number of rows before the point at which reading starts
 */
public record Offset(int precedingCount, Direction direction) implements Start {}

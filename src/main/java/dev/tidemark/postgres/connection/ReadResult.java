package dev.tidemark.postgres.connection;

import dev.tidemark.paging.Floor;
import java.util.Optional;

/**
 * The result of a statement.
 *
 * @param floor a state of the database that includes what the statement has read; empty if the database has a single
 *     host
 */
public record ReadResult<T>(T value, Optional<Floor> floor) {}

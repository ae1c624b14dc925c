package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.hosts.LogPosition;

/**
 * The result of a statement, if its host had reached the required position.
 *
 * @param value {@code null} if the host had not reached the required position
 * @param position the host's position after the statement; {@code null} if the host had not reached the required
 *     position
 * @param failure why the host's position before the statement is unknown; {@code null} if it is known
 */
record ResultAtLogPosition<T>(T value, LogPosition position, Throwable failure) {

    boolean hasResult() {
        return position != null;
    }
}

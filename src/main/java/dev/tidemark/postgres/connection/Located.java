package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.hosts.LogPosition;

/**
 * What a statement has read, if its host had come far enough.
 *
 * @param value {@code null} if the host had not
 * @param position of the host after the statement; {@code null} if it had not come far enough
 */
record Located<T>(T value, LogPosition position) {

    boolean isRead() {
        return position != null;
    }
}

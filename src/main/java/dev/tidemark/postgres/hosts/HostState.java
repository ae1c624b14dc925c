package dev.tidemark.postgres.hosts;

import dev.tidemark.postgres.hosts.LogPosition.Timeline;
import java.util.Optional;

/** What polls have found about a host. Reads can show that it has reached a later position. */
sealed interface HostState {

    /** The position that the host is known to have reached; empty unless it answers. */
    default Optional<LogPosition> position() {
        return Optional.empty();
    }

    /** The timeline of the last poll that the host has answered. */
    Timeline timeline();

    /** The host has not been polled yet. A single host is never polled. */
    record Unpolled() implements HostState {
        @Override
        public Timeline timeline() {
            return Timeline.UNKNOWN;
        }
    }

    /**
     * The host answers polls.
     *
     * @param timeline the latest timeline that polls have found since the host became available
     * @param reached the latest position that polls and reads have found since then
     */
    record Answering(Timeline timeline, LogPosition reached) implements HostState {
        @Override
        public Optional<LogPosition> position() {
            return Optional.of(reached);
        }
    }

    /** The host does not answer, or rejects polls. */
    record Unavailable(Throwable failure, Timeline timeline) implements HostState {}
}

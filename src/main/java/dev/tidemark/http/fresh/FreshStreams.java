package dev.tidemark.http.fresh;

import dev.tidemark.http.events.EventStreams;
import jakarta.inject.Singleton;

/** The event streams of numbers, new items and counts by value, which have a common limit. */
@Singleton
public class FreshStreams {

    private final EventStreams.Kind kind;

    FreshStreams(EventStreams streams, FreshConfig config) {
        kind = streams.kind(
                "tidemark.fresh.streams",
                "Event streams that are open",
                config.maxStreams(),
                config.heartbeat(),
                "this server has reached its limit of event streams; poll the number instead");
    }

    public EventStreams.Kind kind() {
        return kind;
    }
}

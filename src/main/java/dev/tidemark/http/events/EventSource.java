package dev.tidemark.http.events;

import org.jspecify.annotations.Nullable;

/** Where an {@link EventStream} takes its events from. */
public interface EventSource {

    /**
     * Returns the next event, ready to write; null if there is none yet. Called in the context of the stream, when the
     * client has accepted the previous event or heartbeat, and after {@link EventStream#wake}.
     */
    byte @Nullable [] next();
}

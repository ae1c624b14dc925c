package dev.tidemark.http.events;

import dev.tidemark.http.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The event streams of a test. All are closed at its end, also those that were still being opened when it failed: a
 * stream that stays open would make the tests that follow wait in vain for its end.
 */
public final class TestStreams implements AutoCloseable {

    private final List<CompletableFuture<EventClient>> streams = new ArrayList<>();

    /** @param headers alternating names and values */
    public EventClient open(String target, String... headers) {
        return openAsync(target, headers).join();
    }

    /**
     * Fails if the stream cannot be opened within a minute, so that no test waits forever.
     *
     * @param headers alternating names and values
     */
    public CompletableFuture<EventClient> openAsync(String target, String... headers) {
        CompletableFuture<EventClient> stream =
                EventClient.openAsync(TestServer.port(), target, headers).orTimeout(1, TimeUnit.MINUTES);
        streams.add(stream);
        return stream;
    }

    /** Opens streams at once, and waits until all are open. */
    public List<EventClient> openAll(List<String> targets) {
        return targets.stream().map(target -> openAsync(target)).toList().stream()
                .map(CompletableFuture::join)
                .toList();
    }

    /** The stream that was opened as the given one, counted from 0. */
    public EventClient get(int index) {
        return streams.get(index).join();
    }

    @Override
    public void close() {
        for (CompletableFuture<EventClient> stream : streams) {
            stream.cancel(false);
            stream.thenAccept(EventClient::close);
        }
    }
}

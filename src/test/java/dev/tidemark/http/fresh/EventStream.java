package dev.tidemark.http.fresh;

import dev.tidemark.http.TestServer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client of an event stream. */
public final class EventStream implements AutoCloseable {

    private static final Vertx VERTX = Vertx.vertx();
    private static final HttpClient CLIENT =
            VERTX.createHttpClient(new HttpClientOptions().setMaxPoolSize(5_000).setKeepAlive(false));
    private static final String COMMENT_PREFIX = ":";

    private final HttpClientResponse response;
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> comments = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> problems = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final StringBuilder rest = new StringBuilder();

    private EventStream(HttpClientResponse response) {
        this.response = response;
        response.handler(this::addChunk)
                .exceptionHandler(end::completeExceptionally)
                .endHandler(end::complete);
    }

    public static EventStream open(String target) {
        return openAsync(target).orTimeout(20, TimeUnit.SECONDS).join();
    }

    public static EventStream open(String target, String authorization) {
        return open(TestServer.port(), target, authorization);
    }

    public static EventStream open(int port, String target, String authorization) {
        return openAsync(port, target, authorization)
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    static CompletableFuture<EventStream> openAsync(String target) {
        return openAsync(TestServer.port(), target, "");
    }

    private static CompletableFuture<EventStream> openAsync(int port, String target, String authorization) {
        return CLIENT.request(HttpMethod.GET, port, "localhost", target)
                .compose(request -> request.putHeader("Accept", "text/event-stream")
                        .putHeader("Accept-Encoding", "gzip")
                        .putHeader("Authorization", authorization)
                        .send()
                        .map(EventStream::new))
                .toCompletionStage()
                .toCompletableFuture();
    }

    int status() {
        return response.statusCode();
    }

    String header(String name) {
        return response.getHeader(name);
    }

    /** Waits for the next event and returns its data. */
    public String next() {
        return next(events);
    }

    /** Waits for the problem that ends the stream. */
    public String problem() {
        return next(problems);
    }

    /** Waits for the next comment. */
    String nextComment() {
        return next(comments);
    }

    /** The data of an event that has arrived but was not read; null if there is none. */
    public String peek() {
        return events.peek();
    }

    /** Waits for a comment that arrives after this call. */
    public void awaitHeartbeat() {
        comments.clear();
        nextComment();
    }

    public void awaitEnd() {
        awaitEnd(Duration.ofSeconds(10));
    }

    public void awaitEnd(Duration timeout) {
        end.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    /** Stops reading, as a slow client does. */
    void pause() {
        response.pause();
    }

    void resume() {
        response.resume();
    }

    @Override
    public void close() {
        response.request().connection().close();
    }

    private static String next(BlockingQueue<String> queue) {
        try {
            String next = queue.poll(20, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("nothing has arrived");
            }
            return next;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void addChunk(Buffer chunk) {
        rest.append(chunk);
        for (int end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
            String event = rest.substring(0, end);
            rest.delete(0, end + 2);
            if (event.startsWith(COMMENT_PREFIX)) {
                comments.add(event);
            } else if (event.startsWith("event: fresh\ndata: ")) {
                events.add(event.substring("event: fresh\ndata: ".length()));
            } else if (event.startsWith("event: problem\ndata: ")) {
                problems.add(event.substring("event: problem\ndata: ".length()));
            } else {
                events.add("malformed: " + event);
            }
        }
    }
}

package dev.tidemark.http.events;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.TestServer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of an event stream. */
public final class EventClient implements AutoCloseable {

    private static final Vertx VERTX = Vertx.vertx();
    private static final HttpClient CLIENT =
            VERTX.createHttpClient(new HttpClientOptions().setMaxPoolSize(5_000).setKeepAlive(false));
    private static final String COMMENT_PREFIX = ":";
    private static final String RETRY_PREFIX = "retry: ";

    private static final Pattern EVENT = Pattern.compile("event: (\\w+)\n(?:id: ([\\w-]+)\n)?data: ([^\r\n]*)");

    private final HttpClientResponse response;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> comments = new LinkedBlockingQueue<>();
    private final List<Integer> retries = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> problems = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private Buffer rest = Buffer.buffer();
    private int searched;

    /**
     * An event.
     *
     * @param id null if the event has none
     */
    public record Event(String name, String id, String data) {

        /** @param block the lines of the event */
        public static Event of(String block) {
            Matcher event = EVENT.matcher(block.strip());
            return event.matches()
                    ? new Event(event.group(1), event.group(2), event.group(3))
                    : new Event("malformed", null, block);
        }

        public JsonDocument json() {
            return JsonDocument.of(data);
        }
    }

    private EventClient(HttpClientResponse response) {
        this.response = response;
        response.handler(this::addChunk)
                .exceptionHandler(end::completeExceptionally)
                .endHandler(end::complete);
    }

    public static EventClient open(String target) {
        return openAsync(target).orTimeout(20, TimeUnit.SECONDS).join();
    }

    public static EventClient open(String target, String authorization) {
        return open(TestServer.port(), target, authorization);
    }

    public static EventClient open(int port, String target, String authorization) {
        return openAsync(port, target, "Authorization", authorization)
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    public static CompletableFuture<EventClient> openAsync(String target) {
        return openAsync(TestServer.port(), target);
    }

    /**
     * If the returned future is canceled or times out, the connection is closed, so that the server does not keep a
     * stream that nobody can close.
     *
     * @param headers alternating names and values
     */
    public static CompletableFuture<EventClient> openAsync(int port, String target, String... headers) {
        CompletableFuture<EventClient> opened = new CompletableFuture<>();
        CLIENT.request(HttpMethod.GET, port, "localhost", target)
                .compose(request -> {
                    opened.whenComplete((stream, failure) -> {
                        if (failure != null) {
                            request.connection().close();
                        }
                    });
                    request.putHeader("Accept", "text/event-stream").putHeader("Accept-Encoding", "gzip");
                    for (int i = 0; i < headers.length; i += 2) {
                        request.putHeader(headers[i], headers[i + 1]);
                    }
                    return request.send().map(EventClient::new);
                })
                .onSuccess(opened::complete)
                .onFailure(opened::completeExceptionally);
        return opened;
    }

    public int status() {
        return response.statusCode();
    }

    public String header(String name) {
        return response.getHeader(name);
    }

    /** Waits for the next event and returns its data. */
    public String next() {
        return nextEvent().data();
    }

    /** Waits for the next event. */
    public Event nextEvent() {
        return next(events);
    }

    /** Waits for the next event for some time. */
    public Optional<Event> poll(Duration time) {
        try {
            return Optional.ofNullable(events.poll(time.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many milliseconds to wait before the next connection, as often as the server has said it. */
    public List<Integer> retries() {
        return retries;
    }

    /** Waits for the problem that ends the stream. */
    public String problem() {
        return next(problems);
    }

    /** Waits for the next comment. */
    public String nextComment() {
        return next(comments);
    }

    /** The data of an event that has arrived but was not read; null if there is none. */
    public String peek() {
        Event event = events.peek();
        return event == null ? null : event.data();
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

    public boolean hasEnded() {
        return end.isDone();
    }

    /** Stops reading, as a slow client does. */
    public void pause() {
        response.pause();
    }

    public void resume() {
        response.resume();
    }

    @Override
    public void close() {
        response.request().connection().close();
    }

    private static <T> T next(BlockingQueue<T> queue) {
        try {
            T next = queue.poll(20, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("nothing has arrived");
            }
            return next;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void addChunk(Buffer chunk) {
        rest.appendBuffer(chunk);
        for (; searched + 1 < rest.length(); searched++) {
            if (rest.getByte(searched) == '\n' && rest.getByte(searched + 1) == '\n') {
                add(rest.getString(0, searched));
                rest = rest.getBuffer(searched + 2, rest.length());
                searched = -1;
            }
        }
    }

    private void add(String block) {
        if (block.startsWith(COMMENT_PREFIX)) {
            comments.add(block);
            return;
        }
        if (block.startsWith(RETRY_PREFIX)) {
            retries.add(Integer.parseInt(block.substring(RETRY_PREFIX.length())));
            return;
        }
        Event event = Event.of(block);
        if (event.name().equals("problem")) {
            problems.add(event.data());
        } else {
            events.add(event);
        }
    }
}

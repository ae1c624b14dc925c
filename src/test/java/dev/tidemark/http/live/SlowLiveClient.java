package dev.tidemark.http.live;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.Sealers;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.events.EventClient.Event;
import dev.tidemark.http.events.EventStream;
import dev.tidemark.http.events.SlowResponse;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.query.FieldNames;
import dev.tidemark.http.query.ListParser.Endpoint;
import dev.tidemark.http.query.QueryString;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A client of a live window, without a connection, that accepts an event only when the test says so. */
final class SlowLiveClient implements AutoCloseable {

    private static final Endpoint ENDPOINT = Endpoint.withCursors(List.of("cursor", "until", "limit", "fields"));

    private final Context context;
    private final SlowResponse response = new SlowResponse();
    private EventStream stream;

    /** Returns once the window has been read for this client. */
    SlowLiveClient(Vertx vertx, LiveWindows windows, LiveRequest request) {
        context = vertx.getOrCreateContext();
        CompletableFuture<Void> opened = new CompletableFuture<>();
        context.runOnContext(now -> {
            LiveClient client = new LiveClient(request.since(), failure -> new byte[0]);
            stream = new EventStream(vertx, client, Duration.ofHours(1), () -> {}, ended -> {});
            stream.begin(begun -> windows.join(request, client, begun))
                    .subscribe()
                    .with(
                            begun -> {
                                begun.writeTo(response.response(), () -> {});
                                opened.complete(null);
                            },
                            opened::completeExceptionally);
        });
        try {
            opened.orTimeout(20, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            close();
            throw e;
        }
    }

    /** @param query the query string of a public feed */
    static LiveRequest request(ServedFeed served, String query, Optional<String> since, CursorSealer cursors) {
        QueryString parameters = QueryString.decode(query.substring(1));
        ListState state = served.listParser().parse(parameters, Caller.ANYBODY, ENDPOINT);
        return new LiveRequest(
                served,
                new WindowKey(
                        state,
                        parameters.value("fields").map(list -> FieldNames.parse(served.feed(), list)),
                        parameters.value("cursor").map(token -> cursors.open(state, token)
                                .gap()),
                        parameters.value("until").map(token -> cursors.open(state, token)
                                .gap()),
                        parameters.value("limit").map(Integer::parseInt).orElse(100)),
                since.map(token -> Sealers.moments().open(served.feed(), token).orElseThrow()),
                Optional.empty(),
                Caller.ANYBODY);
    }

    /** The events that were written since the client accepted the previous one. */
    List<Event> unaccepted() {
        return inContext(() -> response.writes().stream().map(Event::of).toList());
    }

    /** Accepts the events that were written, and returns them. */
    List<Event> accept() {
        return inContext(() -> {
            List<Event> events = response.writes().stream().map(Event::of).toList();
            response.writes().clear();
            response.accept();
            return events;
        });
    }

    private <T> T inContext(Supplier<T> call) {
        CompletableFuture<T> done = new CompletableFuture<>();
        context.runOnContext(now -> done.complete(call.get()));
        return done.orTimeout(20, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        context.runOnContext(now -> stream.end());
    }
}

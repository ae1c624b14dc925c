package dev.tidemark.http.export;

import dev.tidemark.http.bodies.GzipStream;
import dev.tidemark.http.bodies.StreamedBody;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.jboss.resteasy.reactive.server.spi.ServerHttpResponse;

/**
 * The body of an export: what one read of the walk gives, and then that of the next one, once the socket has
 * accepted the former. So the client sets the pace; one that reads slowly or not at all takes the memory of one
 * read, and no database connection. Clients that accept nothing are disconnected as they are from any response.
 *
 * <p>Everything runs in the context of the client's request.
 */
final class ExportStream implements StreamedBody {

    /** How an export ended. */
    enum Outcome {
        /** The export has all of its items. */
        COMPLETE,
        /** A read failed. */
        PROBLEM,
        /** The connection was closed before the export was complete. */
        DISCONNECTED
    }

    /** Small enough for a slow client to accept within the idle timeout, which starts again with each piece. */
    private static final int PIECE_BYTES = 64 * 1024;

    private final Context context = Vertx.currentContext();
    private final ExportWalk walk;
    private final Optional<GzipStream> gzip;
    private final Function<Throwable, byte[]> toProblem;
    private final Runnable cut;

    private byte[] first = {};
    private Cancellable reading = () -> {};
    private Runnable finish = () -> {};
    private Outcome outcome = Outcome.DISCONNECTED;
    private boolean begun;
    private boolean closed;

    /**
     * @param toProblem converts a failure to the JSON of a problem
     * @param cut ends the response so that the client sees that it is incomplete
     */
    ExportStream(ExportWalk walk, boolean isGzipWanted, Function<Throwable, byte[]> toProblem, Runnable cut) {
        this.walk = walk;
        this.gzip = isGzipWanted ? Optional.of(new GzipStream()) : Optional.empty();
        this.toProblem = toProblem;
        this.cut = cut;
    }

    /**
     * Emits this object once the first read has ended. Fails if it has failed, so that the client gets the same
     * response as to any other request.
     */
    Uni<ExportStream> begin() {
        return walk.first()
                .emitOn(task -> context.runOnContext(now -> task.run()))
                .invoke(lines -> first = lines)
                .replaceWith(this);
    }

    @Override
    public void writeTo(ServerHttpResponse response, Runnable finish) {
        this.finish = finish;
        if (closed) {
            finish.run();
            return;
        }
        begun = true;
        response.setChunked(true);
        write(response, first);
    }

    private void write(ServerHttpResponse response, byte[] lines) {
        if (closed) {
            return;
        }
        byte[] bytes = gzip.isPresent() ? gzip.get().encode(lines) : lines;
        int start = 0;
        do {
            int end = Math.min(start + PIECE_BYTES, bytes.length);
            response.write(Arrays.copyOfRange(bytes, start, end), failure -> {
                if (failure == null && end == bytes.length) {
                    goOn(response);
                }
            });
            start = end;
        } while (start < bytes.length);
    }

    private void goOn(ServerHttpResponse response) {
        if (closed) {
            return;
        }
        if (walk.hasNext()) {
            reading = walk.next()
                    .emitOn(task -> context.runOnContext(now -> task.run()))
                    .subscribe()
                    .with(lines -> write(response, lines), failure -> {
                        outcome = Outcome.PROBLEM;
                        walk.fail(toProblem.apply(failure)).ifPresentOrElse(lines -> write(response, lines), cut);
                    });
        } else {
            outcome = outcome == Outcome.PROBLEM ? outcome : Outcome.COMPLETE;
            response.end(gzip.map(GzipStream::finish).orElseGet(() -> new byte[0]));
        }
    }

    /**
     * Ends the export, because its response has ended or its client has gone. Returns false if it had already
     * ended.
     */
    boolean close() {
        if (closed) {
            return false;
        }
        closed = true;
        reading.cancel();
        gzip.ifPresent(GzipStream::close);
        finish.run();
        return true;
    }

    /**
     * Returns the outcome, which is empty if there is no body: the request is HEAD, or has been answered with a
     * problem.
     */
    Optional<Outcome> outcome() {
        return begun ? Optional.of(outcome) : Optional.empty();
    }
}

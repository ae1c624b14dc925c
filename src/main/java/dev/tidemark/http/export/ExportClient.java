package dev.tidemark.http.export;

import dev.tidemark.framework.Connections;
import dev.tidemark.http.edge.GzipStream;
import dev.tidemark.http.edge.StalledResponse;
import io.netty.handler.timeout.IdleStateHandler;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.spi.ServerHttpResponse;

/**
 * Writes an export to its client in pieces, compressed if the client wants that. Each piece is written once the socket
 * has accepted the previous one.
 */
final class ExportClient {

    /** The maximum size of a piece: small enough that a slow client reads it within the timeout for stalled clients. */
    private static final int PIECE_BYTES = 64 * 1024;

    private final HttpServerRequest request;
    private final ServerHttpResponse response;
    private final Optional<GzipStream> gzip;
    private boolean writing;
    private long lastProgressNanos;

    ExportClient(HttpServerRequest request, ServerHttpResponse response, boolean isGzipWanted) {
        this.request = request;
        this.response = response;
        this.gzip = isGzipWanted ? Optional.of(new GzipStream()) : Optional.empty();
        response.setChunked(true);
        // The setting for stalled exports applies instead, which can be longer.
        Connections.keepIfSilent(Connections.channelOf(request.connection()));
    }

    /**
     * Writes lines. Completes when the socket has accepted all of them, and fails if the client has disconnected.
     */
    Uni<Void> write(byte[] lines) {
        return writeBytes(gzip.isPresent() ? gzip.get().encode(lines) : lines);
    }

    /** Writes what follows the last line: the end of the compressed stream, if it is compressed. */
    Uni<Void> writeEnd() {
        return gzip.isPresent()
                ? writeBytes(gzip.get().finish())
                : Uni.createFrom().voidItem();
    }

    private Uni<Void> writeBytes(byte[] bytes) {
        return Uni.createFrom().emitter(done -> {
            writing = true;
            lastProgressNanos = System.nanoTime();
            writePiece(bytes, 0, done);
        });
    }

    private void writePiece(byte[] bytes, int start, UniEmitter<? super Void> done) {
        int end = Math.min(start + PIECE_BYTES, bytes.length);
        byte[] piece = start == 0 && end == bytes.length ? bytes : Arrays.copyOfRange(bytes, start, end);
        response.write(piece, failure -> {
            lastProgressNanos = System.nanoTime();
            if (failure != null) {
                done.fail(failure);
            } else if (end < bytes.length) {
                writePiece(bytes, end, done);
            } else {
                writing = false;
                done.complete(null);
            }
        });
    }

    /** Whether the current write has made no progress for longer than the given time. */
    boolean isStalledFor(Duration time) {
        return writing && System.nanoTime() - lastProgressNanos > time.toNanos();
    }

    /**
     * Restarts the idle timeout of the HTTP server, which would otherwise disconnect a slow client, or any client while
     * the export waits for the database.
     */
    void restartIdleTimeout() {
        IdleStateHandler idle =
                Connections.channelOf(request.connection()).pipeline().get(IdleStateHandler.class);
        if (idle != null) {
            idle.resetWriteTimeout();
        }
    }

    void abort() {
        StalledResponse.abort(request);
    }

    /** Releases the resources of a response that may not have ended. Idempotent. */
    void release() {
        gzip.ifPresent(GzipStream::close);
    }

    void end() {
        Connections.closeIfSilent(Connections.channelOf(request.connection()));
        if (!response.closed()) {
            response.end();
        }
    }
}

package dev.tidemark.http.export;

import io.netty.handler.timeout.IdleStateHandler;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.Arrays;
import org.jboss.resteasy.reactive.server.spi.ServerHttpResponse;

/**
 * Writes bytes to the client of an export. They are written in pieces, each of them once the socket has accepted the
 * previous one.
 */
final class ExportClient {

    /** Small enough that a slow client can read it within the timeout. */
    private static final int PIECE_BYTES = 64 * 1024;

    private final HttpServerRequest request;
    private final ServerHttpResponse response;
    private boolean writing;
    private long progressNanos;

    ExportClient(HttpServerRequest request, ServerHttpResponse response) {
        this.request = request;
        this.response = response;
        response.setChunked(true);
    }

    /** Completes when the socket has accepted all bytes. Fails if the client has disconnected. */
    Uni<Void> write(byte[] bytes) {
        return Uni.createFrom().emitter(done -> {
            writing = true;
            progressNanos = System.nanoTime();
            writePiece(bytes, 0, done);
        });
    }

    private void writePiece(byte[] bytes, int start, UniEmitter<? super Void> done) {
        int end = Math.min(start + PIECE_BYTES, bytes.length);
        byte[] piece = start == 0 && end == bytes.length ? bytes : Arrays.copyOfRange(bytes, start, end);
        response.write(piece, failure -> {
            progressNanos = System.nanoTime();
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

    /** Whether a write has made no progress for this long. */
    boolean isStalledFor(Duration time) {
        return writing && System.nanoTime() - progressNanos > time.toNanos();
    }

    /**
     * Restarts the idle timeout of HTTP, which would otherwise disconnect a slow client, or any client while the server
     * waits for the database.
     */
    void keepOpen() {
        IdleStateHandler idle = connection().channel().pipeline().get(IdleStateHandler.class);
        if (idle != null) {
            idle.resetWriteTimeout();
        }
    }

    /** Ends the response so that the client sees that it is incomplete, without waiting for the client to read. */
    void cut() {
        if (request.version() == HttpVersion.HTTP_2) {
            response.reset();
        } else {
            // Closing the connection or its channel would wait until all has been written.
            connection().channelHandlerContext().close();
        }
    }

    void end() {
        if (!response.closed()) {
            response.end();
        }
    }

    private ConnectionBase connection() {
        return (ConnectionBase) request.connection();
    }
}

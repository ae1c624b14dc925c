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
 * Writes bytes to the client of an export in pieces. Each piece is written once the socket has accepted the previous
 * one.
 */
final class ExportClient {

    /** The maximum size of a piece: small enough that a slow client reads it within the timeout for stalled clients. */
    private static final int PIECE_BYTES = 64 * 1024;

    private final HttpServerRequest request;
    private final ServerHttpResponse response;
    private boolean writing;
    private long lastProgressNanos;

    ExportClient(HttpServerRequest request, ServerHttpResponse response) {
        this.request = request;
        this.response = response;
        response.setChunked(true);
    }

    /**
     * Writes the bytes. Completes when the socket has accepted all of them, and fails if the client has disconnected.
     */
    Uni<Void> write(byte[] bytes) {
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
        IdleStateHandler idle = connection().channel().pipeline().get(IdleStateHandler.class);
        if (idle != null) {
            idle.resetWriteTimeout();
        }
    }

    /**
     * Aborts the response, so that the client can detect that it is incomplete. Does not wait for the client to read.
     */
    void abort() {
        if (request.version() == HttpVersion.HTTP_2) {
            response.reset();
        } else {
            // Closing the connection or its channel would wait until all bytes have been written.
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

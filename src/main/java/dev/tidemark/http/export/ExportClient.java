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
    private long takenNanos;

    ExportClient(HttpServerRequest request, ServerHttpResponse response) {
        this.request = request;
        this.response = response;
        response.setChunked(true);
    }

    /** Completes when the socket has accepted all bytes. Fails if the client has disconnected. */
    Uni<Void> write(byte[] bytes) {
        return Uni.createFrom().emitter(taken -> {
            writing = true;
            takenNanos = System.nanoTime();
            writePiece(bytes, 0, taken);
        });
    }

    private void writePiece(byte[] bytes, int start, UniEmitter<? super Void> taken) {
        int end = Math.min(start + PIECE_BYTES, bytes.length);
        byte[] piece = start == 0 && end == bytes.length ? bytes : Arrays.copyOfRange(bytes, start, end);
        response.write(piece, failure -> {
            takenNanos = System.nanoTime();
            if (failure != null) {
                taken.fail(failure);
            } else if (end < bytes.length) {
                writePiece(bytes, end, taken);
            } else {
                writing = false;
                taken.complete(null);
            }
        });
    }

    /** Whether a write has made no progress for this long. */
    boolean isStalledFor(Duration time) {
        return writing && System.nanoTime() - takenNanos > time.toNanos();
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

package dev.tidemark.http.bodies;

import org.jboss.resteasy.reactive.server.spi.ServerHttpResponse;

/** The body of a response that is written piece by piece, at the pace of its client. */
public interface StreamedBody {

    /**
     * Writes and ends the response, asynchronously. The client may already have disconnected.
     *
     * @param finish the implementation runs this once, after the last write
     */
    void writeTo(ServerHttpResponse response, Runnable finish);
}

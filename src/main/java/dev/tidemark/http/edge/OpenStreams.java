package dev.tidemark.http.edge;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The open streams of an HTTP/2 connection, whose requests' heads stay in memory. A stream is open until both the
 * request and the response have ended.
 *
 * <p>Requests can wait until the client has read earlier responses. There are no more of them than open streams.
 */
final class OpenStreams extends Http2ConnectionAdapter {

    /** The time for the end of a request that has been answered. */
    private static final int END_SECONDS = 1;

    private final Http2ConnectionHandler handler;
    private final ChannelHandlerContext context;
    private final Http2Connection.PropertyKey headBytesKey;
    private final Map<Integer, Runnable> waiting = new LinkedHashMap<>();
    private long headBytes;

    OpenStreams(Http2ConnectionHandler handler, ChannelHandlerContext context) {
        this.handler = handler;
        this.context = context;
        this.headBytesKey = handler.connection().newKey();
        handler.connection().addListener(this);
    }

    /** Adds the head of a request, which counts until its stream is closed. */
    void addHead(int streamId, int bytes) {
        Http2Stream stream = handler.connection().stream(streamId);
        if (stream != null && stream.setProperty(headBytesKey, bytes) == null) {
            headBytes += bytes;
        }
    }

    /** Returns the number of bytes of all heads. Other threads get an approximate number. */
    long headBytes() {
        return headBytes;
    }

    /** Adds a task that processes a request. If the stream is closed first, the task is dropped. */
    void addWaiting(int streamId, Runnable task) {
        waiting.put(streamId, task);
    }

    /**
     * Runs the task that has waited longest.
     *
     * @return false if no task waits
     */
    boolean runWaiting() {
        Iterator<Runnable> tasks = waiting.values().iterator();
        if (!tasks.hasNext()) {
            return false;
        }
        Runnable task = tasks.next();
        tasks.remove();
        task.run();
        return true;
    }

    /**
     * Resets the stream if the response has ended before the request. Otherwise, a request that never ends would stay
     * open (RFC 9113, 8.1).
     */
    @Override
    public void onStreamHalfClosed(Http2Stream stream) {
        if (isAnsweredEarly(stream)) {
            context.executor()
                    .schedule(
                            () -> {
                                if (isAnsweredEarly(stream)) {
                                    reset(stream.id(), Http2Error.NO_ERROR);
                                    context.flush();
                                }
                            },
                            END_SECONDS,
                            TimeUnit.SECONDS);
        }
    }

    private static boolean isAnsweredEarly(Http2Stream stream) {
        return stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL;
    }

    /** Writes a frame that Netty's limit of resets does not count. */
    void reset(int streamId, Http2Error error) {
        handler.resetStream(context, streamId, error.code(), context.newPromise());
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        Integer bytes = stream.removeProperty(headBytesKey);
        headBytes -= bytes == null ? 0 : bytes;
        waiting.remove(stream.id());
    }
}

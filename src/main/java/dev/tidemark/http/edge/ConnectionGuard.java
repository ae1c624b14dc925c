package dev.tidemark.http.edge;

import dev.tidemark.framework.Connections;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerResponse;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Knows how many bytes of responses a connection has not accepted, and how many bytes of request heads it keeps in
 * memory, and limits an HTTP/2 connection. It is the handler next to the socket.
 *
 * <p>The bytes of responses wait in the buffer of the channel or, over HTTP/2, until the client's flow control accepts
 * them. The heads are those that are unfinished, those of requests that wait, and those of open HTTP/2 streams. Except
 * where noted, everything runs on the event loop of the connection.
 */
final class ConnectionGuard extends ChannelDuplexHandler {

    /**
     * Has a name of its own for each class loader, because Netty keeps keys by name, and dev mode keeps connections open
     * when it loads this class again.
     */
    private static final AttributeKey<ConnectionGuard> KEY =
            AttributeKey.valueOf(ConnectionGuard.class, "guard" + System.identityHashCode(ConnectionGuard.class));

    /** The name of the handler of Vert.x for HTTP/1 or HTTP/2. */
    private static final String HTTP_HANDLER = "handler";

    /** A client that accepts fewer bytes makes no progress. Otherwise, it could seem active by accepting a byte. */
    private static final int MIN_PROGRESS = 1024;

    /** Fewer bytes of heads do not count, because many connections that are used have some. */
    private static final int UNCOUNTED_HEAD_BYTES = 4 * 1024;

    /** An unfinished head needs no more memory, because Netty rejects a longer one. More bytes belong to content. */
    private static final int MAX_UNFINISHED_BYTES = 160 * 1024;

    private final UnreadBytes unreadBytes;
    private final FlowControlledBytes flowControlled = new FlowControlledBytes();

    @SuppressWarnings("NullAway.Init") // Netty calls handlerAdded first.
    private Channel channel;

    private boolean isProtocolKnown;
    private boolean isHttpTwo;
    private boolean publishing;
    private boolean removed;

    /** The open streams, if the connection uses HTTP/2 and a request was read. */
    private @Nullable OpenStreams streams;

    /** The number of bytes that were read last. */
    private int lastRead;

    /** The number of bytes that were read and may belong to an unfinished head. */
    private long unfinished;

    /** The number of bytes of the head of an HTTP/1 request that waits. */
    private int waitingHead;

    /** The number of bytes that {@link #unreadBytes} knows of. Other threads read it. */
    private volatile long published;

    /** When the client last accepted bytes, or when the first byte that it has not accepted was written. */
    private volatile long lastProgress;

    /** The largest number of unread bytes since {@link #lastProgress}. */
    private volatile long mostSinceProgress;

    /** Set by the thread that chose this connection to be closed. */
    private volatile long bytesAtClose;

    ConnectionGuard(UnreadBytes unreadBytes) {
        this.unreadBytes = unreadBytes;
    }

    /** Returns the guard of a connection; {@code null} if it has none yet. */
    static @Nullable ConnectionGuard of(Channel connection) {
        return connection.attr(KEY).get();
    }

    /** Returns the guard of a connection that has one. */
    static ConnectionGuard of(HttpConnection connection) {
        return Objects.requireNonNull(of(Connections.channelOf(connection)));
    }

    /** Puts this guard into a connection. */
    void addTo(Channel connection) {
        connection.attr(KEY).set(this);
        connection.pipeline().addFirst(this);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        lastRead = message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
        unfinished += lastRead;
        context.fireChannelRead(message);
        if (!isProtocolKnown) {
            limitHttpTwo();
            isProtocolKnown =
                    isHttpTwo || Connections.isHttpHandler(channel.pipeline().get(HTTP_HANDLER));
        }
        update();
    }

    /** Records that the head of an HTTP/1 request has been read, which had this many bytes. */
    void endHttpOneHead(int bytes) {
        unfinished = Math.max(0, unfinished - bytes);
        endFrameOrHead();
    }

    /** Records that the head of an HTTP/2 request has been read, which stays in memory until the stream is closed. */
    void endHttpTwoHead(int streamId, int bytes) {
        endFrameOrHead();
        openStreams().addHead(streamId, bytes);
    }

    private OpenStreams openStreams() {
        OpenStreams open = streams;
        if (open == null) {
            Http2ConnectionHandler handler = channel.pipeline().get(Http2ConnectionHandler.class);
            open = new OpenStreams(handler, channel.pipeline().context(handler));
            streams = open;
        }
        return open;
    }

    /** Only bytes that were read after the end of a frame or a head can belong to an unfinished head. */
    private void endFrameOrHead() {
        unfinished = Math.min(unfinished, lastRead);
    }

    /** @param bytes the number of bytes of the head of the HTTP/1 request that waits; 0 if none waits anymore */
    void setWaitingHead(int bytes) {
        waitingHead = bytes;
        publish();
    }

    /** Applies the limits for HTTP/2 if the connection uses HTTP/2 and its first frame has been read. */
    void limitHttpTwo() {
        if (isHttpTwo) {
            return;
        }
        Http2ConnectionHandler handler = channel.pipeline().get(Http2ConnectionHandler.class);
        if (handler == null
                || !handler.decoder().prefaceReceived()
                || !(handler.decoder().frameListener() instanceof HttpConnection settings)) {
            return;
        }
        isHttpTwo = true;
        Http2ConnectionDecoder decoder = handler.decoder();
        Http2Connection connection = handler.connection();
        // Otherwise, the limit applies only after the client has acknowledged it, and the client may never do so.
        connection.remote().maxActiveStreams((int)
                Math.min(Integer.MAX_VALUE, settings.settings().getMaxConcurrentStreams()));
        connection
                .remote()
                .flowController(new CountingFlowController(connection.remote().flowController(), flowControlled));
        decoder.frameListener(
                new ControlFrameLimit(decoder.frameListener(), this::closeAfterThisRead, this::endFrameOrHead));
    }

    /**
     * Returns whether the connection gets no further response, because the budget of the process is used up. The
     * response of a connection over its own budget must not use it up. Otherwise, the connection would be closed.
     */
    boolean isRefused(int responseBytes) {
        return unreadResponses() > 0 && unreadBytes.isOverBudget(0)
                || mustRead() && unreadBytes.isOverBudget(responseBytes)
                || bytesAtClose > 0
                || unreadBytes.isFarOverBudget();
    }

    /** Resets the stream of a request that was not processed. With this code, a client knows that it can retry. */
    void refuse(HttpServerResponse response) {
        if (!channel.eventLoop().inEventLoop()) {
            channel.eventLoop().execute(() -> refuse(response));
            return;
        }
        openStreams().reset(response.streamId(), Http2Error.REFUSED_STREAM);
        // Writes no second frame. Vert.x has to know of the reset, and Netty's limit of resets does not count this
        // code.
        response.reset(Http2Error.CANCEL.code());
    }

    /** Runs a task that processes an HTTP/2 request as soon as {@link #mustRead} is false. */
    void runWhenRead(int streamId, Runnable task) {
        openStreams().addWaiting(streamId, task);
    }

    /**
     * Returns whether the client has to read before another request of the connection is processed. Heads do not
     * matter, because requests that wait for one another would wait forever.
     */
    boolean mustRead() {
        return unreadResponses() > unreadBytes.connectionBudget();
    }

    /** Returns the number of bytes that count. Other threads get an approximate number. */
    private long unread() {
        return unreadResponses() + heads();
    }

    private long unreadResponses() {
        return buffered() + flowControlled.bytes;
    }

    private long heads() {
        long bytes =
                Math.min(unfinished, MAX_UNFINISHED_BYTES) + waitingHead + (streams == null ? 0 : streams.headBytes());
        return bytes < UNCOUNTED_HEAD_BYTES ? 0 : bytes;
    }

    /** Returns the number of bytes that the socket has not accepted. */
    private long buffered() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        context.flush();
        update();
    }

    /** Returns the number of bytes that {@link UnreadBytes} knows of. Callable from any thread. */
    long published() {
        return published;
    }

    /** Makes the number of unread bytes known, and runs the tasks that wait until it is small enough. */
    void update() {
        publish();
        boolean ran = streams != null;
        while (ran && !mustRead()) {
            ran = openStreams().runWaiting();
        }
    }

    /** Makes the number of unread bytes known. For a client that reads everything at once, does nothing. */
    private void publish() {
        long before = published;
        long now = unread();
        if (removed || before == 0 && now == 0) {
            return;
        }
        if (before == 0) {
            lastProgress = System.nanoTime();
            mostSinceProgress = now;
        } else {
            lastProgress(System.nanoTime());
        }
        if (now != before) {
            published = now;
            publishing = true;
            unreadBytes.change(this, before, now);
            publishing = false;
        }
    }

    /** Returns when the client last accepted bytes. Callable from any thread. */
    long lastProgress(long now) {
        long unread = unread();
        if (unread <= mostSinceProgress - MIN_PROGRESS) {
            lastProgress = now;
            mostSinceProgress = unread;
        } else if (unread > mostSinceProgress) {
            mostSinceProgress = unread;
        }
        return lastProgress;
    }

    /**
     * Closes the connection, and returns true; returns false if it is already being closed. Callable by one thread at a
     * time.
     */
    boolean closeBecauseUnread() {
        synchronized (this) {
            long bytes = published;
            if (removed || bytesAtClose > 0 || bytes == 0) {
                return false;
            }
            bytesAtClose = bytes;
            unreadBytes.changeClosing(bytes);
        }
        if (channel.eventLoop().inEventLoop() && !publishing) {
            // Otherwise, many responses could be written first.
            close();
        } else {
            closeAfterThisRead();
        }
        return true;
    }

    private void closeAfterThisRead() {
        channel.eventLoop().execute(this::close);
    }

    /** Closes the connection without waiting until the client has read anything. */
    private void close() {
        ChannelHandlerContext context = channel.pipeline().context(this);
        if (context == null) {
            // During an upgrade to HTTP/2.
            channel.close();
        } else {
            context.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        remove();
        super.channelInactive(context);
    }

    /** The upgrade of a connection from HTTP/1.1 to HTTP/2 removes all handlers that were there before. */
    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (channel.isActive()) {
            channel.eventLoop().execute(() -> {
                if (channel.isActive()) {
                    channel.pipeline().addFirst(this);
                } else {
                    // The end was read together with the request for the upgrade, and this handler has not seen it.
                    remove();
                }
            });
        } else {
            remove();
        }
    }

    /** Returns true, because Netty otherwise rejects a handler that was removed and is added again. */
    @Override
    public boolean isSharable() {
        return true;
    }

    private void remove() {
        long before;
        synchronized (this) {
            if (removed) {
                return;
            }
            removed = true;
            before = published;
            published = 0;
            unreadBytes.changeClosing(-bytesAtClose);
        }
        if (before > 0) {
            unreadBytes.change(this, before, 0);
        }
    }
}

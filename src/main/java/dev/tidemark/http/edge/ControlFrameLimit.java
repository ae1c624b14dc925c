package dev.tidemark.http.edge;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.concurrent.TimeUnit;

/**
 * Closes an HTTP/2 connection whose client sends many frames that belong to no request: SETTINGS, PING, PRIORITY, and
 * frames of unknown types (CVE-2019-9512, CVE-2019-9515). Netty limits empty DATA, CONTINUATION, and RST_STREAM frames,
 * and the acknowledgments that the client does not read.
 */
final class ControlFrameLimit extends Http2FrameListenerDecorator {

    static final int MAX_FRAMES = 1_000;
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Runnable close;
    private final Runnable frameRead;
    private long windowStart = System.nanoTime();
    private int frames;

    /**
     * @param close closes the connection after the current frames have been processed
     * @param frameRead called for each frame, except those of request heads
     */
    ControlFrameLimit(Http2FrameListener listener, Runnable close, Runnable frameRead) {
        super(listener);
        this.close = close;
        this.frameRead = frameRead;
    }

    private void count() throws Http2Exception {
        frameRead.run();
        if (frames++ < MAX_FRAMES) {
            return;
        }
        long now = System.nanoTime();
        if (now - windowStart > WINDOW_NANOS) {
            windowStart = now;
            frames = 1;
            return;
        }
        close.run();
        throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "Too many control frames");
    }

    @Override
    public int onDataRead(ChannelHandlerContext context, int streamId, ByteBuf data, int padding, boolean endOfStream)
            throws Http2Exception {
        frameRead.run();
        return super.onDataRead(context, streamId, data, padding, endOfStream);
    }

    @Override
    public void onWindowUpdateRead(ChannelHandlerContext context, int streamId, int windowSizeIncrement)
            throws Http2Exception {
        frameRead.run();
        super.onWindowUpdateRead(context, streamId, windowSizeIncrement);
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext context, int streamId, long errorCode) throws Http2Exception {
        frameRead.run();
        super.onRstStreamRead(context, streamId, errorCode);
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings) throws Http2Exception {
        count();
        super.onSettingsRead(context, settings);
    }

    @Override
    public void onSettingsAckRead(ChannelHandlerContext context) throws Http2Exception {
        count();
        super.onSettingsAckRead(context);
    }

    @Override
    public void onPingRead(ChannelHandlerContext context, long data) throws Http2Exception {
        count();
        super.onPingRead(context, data);
    }

    @Override
    public void onPingAckRead(ChannelHandlerContext context, long data) throws Http2Exception {
        count();
        super.onPingAckRead(context, data);
    }

    @Override
    public void onPriorityRead(
            ChannelHandlerContext context, int streamId, int streamDependency, short weight, boolean exclusive)
            throws Http2Exception {
        count();
        super.onPriorityRead(context, streamId, streamDependency, weight, exclusive);
    }

    @Override
    public void onUnknownFrame(
            ChannelHandlerContext context, byte frameType, int streamId, Http2Flags flags, ByteBuf payload)
            throws Http2Exception {
        count();
        super.onUnknownFrame(context, frameType, streamId, flags, payload);
    }
}

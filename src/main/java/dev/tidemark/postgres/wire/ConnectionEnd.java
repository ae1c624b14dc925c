package dev.tidemark.postgres.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.pgclient.PgException;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Fails the statements in flight, and closes the connection, when the driver has received an error whose code says
 * that the server ends the session. The driver itself waits for the server to close the connection. But a function can
 * raise such an error, and a server can relay it from another one. The session then goes on, and the driver would take
 * the statement for one that has succeeded, without a result.
 */
final class ConnectionEnd extends ChannelInboundHandlerAdapter {

    private final String driverCodec;

    /**
     * The answers to the statements in flight. They are passed on once the driver knows that the connection is closed.
     */
    private final Queue<Object> failedAnswers = new ArrayDeque<>();

    private boolean hasEnded;

    /** @param driverCodec the name of the handler before this one, which fails all statements if it gets a failure */
    ConnectionEnd(String driverCodec) {
        this.driverCodec = driverCodec;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) throws Exception {
        if (hasEnded) {
            // The codec passes the failure on, and fails itself for messages that follow.
            return;
        }
        if (!(failure instanceof PgException)) {
            context.fireExceptionCaught(failure);
            return;
        }
        hasEnded = true;
        context.close();
        ChannelHandlerContext codec = context.pipeline().context(driverCodec);
        ((ChannelInboundHandler) codec.handler()).exceptionCaught(codec, failure);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (hasEnded) {
            // Otherwise, a pool would use the connection again until it learns that it is closed.
            failedAnswers.add(message);
        } else {
            context.fireChannelRead(message);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        context.fireChannelInactive();
        failedAnswers.forEach(context::fireChannelRead);
    }
}

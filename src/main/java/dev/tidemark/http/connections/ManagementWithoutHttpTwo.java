package dev.tidemark.http.connections;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.ssl.SslHandler;

/**
 * Keeps a connection to the management port at HTTP/1.1. Quarkus always opens this port with HTTP/2, and has no
 * setting for it. Over TLS, the client and the server agree on HTTP/1.1. Otherwise, upgrades are ignored, and
 * connections that begin with HTTP/2 are closed. With server names in TLS or the PROXY protocol, does nothing.
 */
final class ManagementWithoutHttpTwo extends ChannelInboundHandlerAdapter {

    private static final String HTTP_1_1 = "http/1.1";

    /** The first word of HTTP/2. */
    private static final String PREFACE = "PRI";

    /** The name of the handler of Vert.x that upgrades connections to HTTP/2. It exists once bytes have been read. */
    private static final String UPGRADE_HANDLER = "h2c";

    @Override
    public void channelActive(ChannelHandlerContext context) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.engine()
                    .setHandshakeApplicationProtocolSelector(
                            (engine, offered) -> offered.contains(HTTP_1_1) ? HTTP_1_1 : "");
            context.pipeline().remove(this);
        }
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (beginsHttpTwo(bytes)) {
            bytes.release();
            context.close();
            return;
        }
        if (bytes.isReadable()) {
            // After this byte, Vert.x knows the protocol.
            context.fireChannelRead(bytes.readRetainedSlice(1));
            if (context.pipeline().get(UPGRADE_HANDLER) != null) {
                context.pipeline().addBefore(UPGRADE_HANDLER, null, new UpgradeIgnored());
            }
            context.pipeline().remove(this);
        }
        context.fireChannelRead(bytes);
    }

    private static boolean beginsHttpTwo(ByteBuf bytes) {
        int known = Math.min(bytes.readableBytes(), PREFACE.length());
        for (int i = 0; i < known; i++) {
            if (bytes.getByte(bytes.readerIndex() + i) != PREFACE.charAt(i)) {
                return false;
            }
        }
        return known > 0;
    }

    private static final class UpgradeIgnored extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request) {
                request.headers().remove(HttpHeaderNames.UPGRADE);
                context.pipeline().remove(this);
            }
            context.fireChannelRead(message);
        }
    }
}

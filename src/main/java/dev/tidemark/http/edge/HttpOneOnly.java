package dev.tidemark.http.edge;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.ssl.SslHandler;
import java.util.List;

/**
 * Turns HTTP/2 off for one connection of a server that Quarkus always creates with HTTP/2. Over TLS, the client and the
 * server agree on HTTP/1.1. Without TLS, a connection that begins with HTTP/2 is closed, and an upgrade to HTTP/2 is
 * ignored.
 */
final class HttpOneOnly extends ChannelInboundHandlerAdapter {

    private static final String HTTP_1_1 = "http/1.1";

    /** The name of the handler of Vert.x that performs upgrades. It exists once the first bytes have been read. */
    private static final String UPGRADE_HANDLER = "h2c";

    @Override
    public void channelActive(ChannelHandlerContext context) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.engine().setHandshakeApplicationProtocolSelector((engine, offered) -> choose(offered));
            context.pipeline().remove(this);
        }
        context.fireChannelActive();
    }

    private static String choose(List<String> offered) {
        return offered.contains(HTTP_1_1) ? HTTP_1_1 : "";
    }

    /** Passes on the first bytes one by one, until Vert.x knows whether they are the beginning of HTTP/2. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        while (bytes.isReadable() && context.pipeline().get(UPGRADE_HANDLER) == null) {
            if (bytes.getByte(bytes.readerIndex()) == ' ') {
                // No method with which HTTP/1 begins is a prefix of the preface of HTTP/2, PRI.
                bytes.release();
                context.close();
                return;
            }
            context.fireChannelRead(bytes.readRetainedSlice(1));
        }
        if (context.pipeline().get(UPGRADE_HANDLER) != null) {
            context.pipeline().addBefore(UPGRADE_HANDLER, null, new UpgradeIgnored());
            context.pipeline().remove(this);
        }
        if (bytes.isReadable()) {
            context.fireChannelRead(bytes);
        } else {
            bytes.release();
        }
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

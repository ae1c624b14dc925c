package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.problem.OutOfMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerResponse;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ConnectionGuardTest {

    private static final String HEAD = "GET /api/a HTTP/1.1\r\nHost: a\r\n\r\n";

    private final EmbeddedChannel channel = new EmbeddedChannel(false, false);
    private final AtomicBoolean rejecting = new AtomicBoolean();
    private final AtomicBoolean hasEnded = new AtomicBoolean(true);
    private final ConnectionGuard guard = new ConnectionGuard(
            new UnreadBytes(1_000),
            new OutOfMemory(),
            request -> rejecting.get() ? Optional.of(new byte[] {'n', 'o'}) : Optional.empty());

    /** As during an upgrade to HTTP/2, which removes all handlers. */
    @Test
    void aConnectionIsClosedWhileItsGuardIsOutsideThePipeline() throws Exception {
        guard.addTo(channel);
        channel.register();
        channel.write(Unpooled.buffer().writeZero(100));
        guard.update();
        channel.pipeline().remove(guard);
        assertThat(guard.closeBecauseUnread()).isTrue();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void theFirstRequestIsRejectedEarly() throws Exception {
        handleHeads();
        rejecting.set(true);
        assertThat(isRejected(HEAD)).isTrue();
        assertThat(isRejected(HEAD)).isTrue();
    }

    @Test
    void aRequestIsRejectedEarlyOnceTheOneBeforeHasItsResponse() throws Exception {
        handleHeads();
        hasEnded.set(false);
        assertThat(isRejected(HEAD)).isFalse();
        hasEnded.set(true);
        rejecting.set(true);
        assertThat(isRejected(HEAD)).isTrue();
    }

    /** What the connection has read is unknown, so content could be mistaken for a request. */
    @Test
    void nothingIsRejectedEarlyIfTheGuardWasAddedLate() throws Exception {
        channel.register();
        handleHeads();
        rejecting.set(true);
        assertThat(isRejected(HEAD)).isFalse();
    }

    /** Otherwise, the rejection would overtake the response. */
    @Test
    void aRequestIsNotRejectedEarlyWhileAnotherIsProcessed() throws Exception {
        handleHeads();
        hasEnded.set(false);
        assertThat(isRejected(HEAD)).isFalse();
        rejecting.set(true);
        assertThat(isRejected(HEAD)).isFalse();
    }

    /** Otherwise, content could be mistaken for a request. */
    @Test
    void nothingIsRejectedEarlyAfterARequestWithContent() throws Exception {
        handleHeads();
        assertThat(isRejected("GET /api/a HTTP/1.1\r\nContent-Length: 9\r\n\r\n"))
                .isFalse();
        rejecting.set(true);
        assertThat(isRejected(HEAD)).isFalse();
    }

    @Test
    void nothingIsRejectedEarlyAfterAPartOfAHead() throws Exception {
        handleHeads();
        assertThat(isRejected(HEAD.substring(0, 30))).isFalse();
        rejecting.set(true);
        assertThat(isRejected(HEAD)).isFalse();
    }

    @Test
    void nothingIsRejectedEarlyAfterTwoHeadsInOneRead() throws Exception {
        handleHeads();
        assertThat(isRejected(HEAD + HEAD)).isFalse();
        rejecting.set(true);
        assertThat(isRejected(HEAD)).isFalse();
    }

    /** Adds the guard, and behind it a handler that reports the first head of each read, as the HTTP layer does. */
    private void handleHeads() throws Exception {
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                String bytes = ((ByteBuf) message).toString(StandardCharsets.US_ASCII);
                int end = bytes.indexOf("\r\n\r\n");
                if (end >= 0) {
                    guard.endHttpOneHead(end + 4, bytes.contains("Content-Length"), response());
                }
                ReferenceCountUtil.release(message);
            }
        });
        guard.addTo(channel);
        if (!channel.isRegistered()) {
            channel.register();
        }
    }

    private boolean isRejected(String bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.US_ASCII));
        ByteBuf written = channel.readOutbound();
        boolean isRejected = written != null;
        ReferenceCountUtil.release(written);
        return isRejected;
    }

    private HttpServerResponse response() {
        return (HttpServerResponse) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {HttpServerResponse.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("ended");
                    return hasEnded.get();
                });
    }
}

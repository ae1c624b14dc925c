package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class ConnectionGuardTest {

    private final EmbeddedChannel channel = new EmbeddedChannel(false, false);
    private final ConnectionGuard guard = new ConnectionGuard(new UnreadBytes(1_000));

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
}

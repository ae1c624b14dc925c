package dev.tidemark.http.connections;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.Await;
import dev.tidemark.framework.EventLoops;
import dev.tidemark.http.RawConnection;
import dev.tidemark.http.RestrictedFeedsProfile;
import io.netty.channel.Channel;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long the kernel waits for clients that acknowledge nothing. {@code DeadPhoneIT} has such a client. */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class SilentClientsTest {

    private static final int MILLIS = 40_000;

    @Inject
    Vertx vertx;

    @BeforeEach
    void requireTheNativeTransport() {
        assumeTrue(Epoll.isAvailable(), "only Linux has the native transport");
    }

    @Test
    void theKernelClosesAConnectionWhoseClientIsSilent() throws Exception {
        try (RawConnection client = new RawConnection()) {
            Await.until("the limit applies", () -> limits(client).equals(List.of(MILLIS)));
        }
    }

    /** The limit of the server's end of a connection, if there is one. */
    private List<Integer> limits(RawConnection client) {
        List<Integer> limits = new ArrayList<>();
        EventLoops.ofConnections(vertx).forEach(loop -> CompletableFuture.runAsync(
                        () -> ((SingleThreadEventLoop) loop)
                                .registeredChannelsIterator()
                                .forEachRemaining(channel -> {
                                    if (isServerEndOf(client, channel)) {
                                        limits.add(channel.config().getOption(EpollChannelOption.TCP_USER_TIMEOUT));
                                    }
                                }),
                        loop)
                .join());
        return limits;
    }

    private static boolean isServerEndOf(RawConnection client, Channel channel) {
        return channel.parent() != null
                && channel.remoteAddress() instanceof InetSocketAddress address
                && address.getPort() == client.localPort();
    }
}

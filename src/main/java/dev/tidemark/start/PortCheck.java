package dev.tidemark.start;

import dev.tidemark.framework.ListenAddress;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.QuarkusBindException;
import io.smallrye.config.SmallRyeConfig;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Stops startup with one message if a port is in use. Quarkus itself does so only for the ports of the feeds, and only
 * without the native transport; otherwise, startup would end with a stack trace.
 */
@Singleton
final class PortCheck {

    private final boolean hasManagementPort;
    private final boolean sharesPort;
    private final SmallRyeConfig config;

    PortCheck(
            @ConfigProperty(name = "quarkus.management.enabled", defaultValue = "false") boolean hasManagementPort,
            @ConfigProperty(name = "quarkus.http.so-reuse-port", defaultValue = "false") boolean sharesPort,
            SmallRyeConfig config) {
        this.sharesPort = sharesPort;
        this.hasManagementPort = hasManagementPort;
        this.config = config;
    }

    /** @throws QuarkusBindException if a port cannot be opened */
    void check() throws IOException {
        // Dev mode keeps its port open when it starts the application again. Several processes can share a port.
        if (LaunchMode.current() == LaunchMode.NORMAL && !sharesPort) {
            check(ListenAddress.ofFeeds(config));
        }
        if (hasManagementPort) {
            check(ListenAddress.ofManagement(config));
        }
    }

    private static void check(List<ListenAddress> addresses) throws IOException {
        for (ListenAddress address : addresses) {
            try (ServerSocket socket = new ServerSocket()) {
                // Sets SO_REUSEADDR, as the server does, so that a recently closed port counts as free.
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(InetAddress.getByName(address.host()), address.port()));
            } catch (BindException inUse) {
                throw new QuarkusBindException(address.host(), address.port(), inUse);
            }
        }
    }
}

package dev.tidemark.start;

import dev.tidemark.framework.ManagementAddress;
import io.quarkus.runtime.QuarkusBindException;
import io.smallrye.config.SmallRyeConfig;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Stops startup with one message if the management port is in use. Quarkus itself does so only for the HTTP port; for
 * the management port, startup would end with a stack trace.
 */
@Singleton
final class ManagementPortCheck {

    private final boolean enabled;
    private final ManagementAddress address;

    ManagementPortCheck(
            @ConfigProperty(name = "quarkus.management.enabled", defaultValue = "false") boolean enabled,
            SmallRyeConfig config) {
        this.enabled = enabled;
        this.address = ManagementAddress.of(config);
    }

    /** @throws QuarkusBindException if the management port cannot be opened */
    void check() throws IOException {
        if (!enabled || !address.isBound()) {
            return;
        }
        String host = address.host();
        int port = address.port();
        try (ServerSocket socket = new ServerSocket()) {
            // Sets SO_REUSEADDR, as the server does, so that a recently closed port counts as free.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (BindException inUse) {
            throw new QuarkusBindException(host, port, inUse);
        }
    }
}

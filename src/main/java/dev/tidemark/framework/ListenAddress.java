package dev.tidemark.framework;

import io.quarkus.vertx.http.runtime.VertxHttpConfig;
import io.quarkus.vertx.http.runtime.VertxHttpConfig.InsecureRequests;
import io.quarkus.vertx.http.runtime.management.ManagementConfig;
import io.smallrye.config.SmallRyeConfig;
import java.util.ArrayList;
import java.util.List;

/** Where one of the HTTP servers listens. */
public record ListenAddress(String host, int port) {

    /** Returns the addresses of the servers of feeds, with and without TLS, that are opened at a port. */
    public static List<ListenAddress> ofFeeds(SmallRyeConfig config) {
        VertxHttpConfig http = config.getConfigMapping(VertxHttpConfig.class);
        List<ListenAddress> addresses = new ArrayList<>();
        if (http.hostEnabled()) {
            if (http.insecureRequests().orElse(InsecureRequests.ENABLED) != InsecureRequests.DISABLED) {
                addresses.add(new ListenAddress(http.host(), http.port()));
            }
            if (http.tlsConfigurationName().isPresent()) {
                addresses.add(new ListenAddress(http.host(), http.sslPort()));
            }
        }
        return addresses;
    }

    /** Returns the address of the management port, unless only a Unix socket is opened. */
    public static List<ListenAddress> ofManagement(SmallRyeConfig config) {
        ManagementConfig management = config.getConfigMapping(ManagementConfig.class);
        return management.hostEnabled() ? List.of(new ListenAddress(management.host(), management.port())) : List.of();
    }
}

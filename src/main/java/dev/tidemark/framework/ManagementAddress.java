package dev.tidemark.framework;

import io.quarkus.vertx.http.runtime.management.ManagementConfig;
import io.smallrye.config.SmallRyeConfig;

/**
 * Where the management port listens.
 *
 * @param isBound whether the port is opened, rather than only a Unix socket
 */
public record ManagementAddress(boolean isBound, String host, int port) {

    public static ManagementAddress of(SmallRyeConfig config) {
        ManagementConfig management = config.getConfigMapping(ManagementConfig.class);
        return new ManagementAddress(management.hostEnabled(), management.host(), management.port());
    }
}

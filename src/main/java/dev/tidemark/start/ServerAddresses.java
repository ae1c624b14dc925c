package dev.tidemark.start;

import io.smallrye.config.SmallRyeConfig;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The addresses of the server, as a client on the same machine uses them. */
@Singleton
class ServerAddresses {

    private static final Set<String> WILDCARD_ADDRESSES = Set.of("0.0.0.0", "::", "");

    private final SmallRyeConfig config;

    ServerAddresses(SmallRyeConfig config) {
        this.config = config;
    }

    /** Returns the URLs of the pages and documents for people. */
    List<String> pages() {
        List<String> urls = new ArrayList<>();
        config.getOptionalValue("try-it.page", String.class).ifPresent(path -> urls.add(url(path)));
        if (setting("tidemark.feed-browser", "false").equals("true")) {
            urls.add(url("/browse"));
        }
        urls.add(url("/q/openapi"));
        return urls;
    }

    /** Returns the URL of a path. If the configured port is 0, the URL contains the free port that was opened. */
    String url(String path) {
        boolean plain = setting("quarkus.http.insecure-requests", "enabled").equalsIgnoreCase("enabled");
        return (plain ? "http://" : "https://")
                + host("quarkus.http.host")
                + ':'
                + (plain ? setting("quarkus.http.port", "8080") : setting("quarkus.http.ssl-port", "8443"))
                + path;
    }

    /** Returns the URL of a path of the management interface, which can have a port of its own. */
    String managementUrl(String path) {
        if (!setting("quarkus.management.enabled", "false").equals("true")) {
            return url(path);
        }
        String scheme = setting("quarkus.management.tls-configuration-name", "").isEmpty() ? "http://" : "https://";
        return scheme + host("quarkus.management.host") + ':' + setting("quarkus.management.port", "9000") + path;
    }

    private String host(String property) {
        String host = setting(property, "");
        return WILDCARD_ADDRESSES.contains(host) ? "localhost" : host.contains(":") ? '[' + host + ']' : host;
    }

    private String setting(String property, String defaultValue) {
        return config.getOptionalValue(property, String.class).orElse(defaultValue);
    }
}

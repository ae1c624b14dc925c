package dev.tidemark.command;

import io.quarkus.runtime.LaunchMode;
import io.smallrye.config.SmallRyeConfig;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The addresses of the server, as a client on the same machine uses them. */
@Singleton
class ServerAddresses {

    private static final Set<String> ANY_ADDRESS = Set.of("0.0.0.0", "::", "");

    private final SmallRyeConfig config;

    ServerAddresses(SmallRyeConfig config) {
        this.config = config;
    }

    /** @return the URLs of pages and endpoints, by their labels in the startup report */
    Map<String, String> pages() {
        Map<String, String> pages = new LinkedHashMap<>();
        config.getOptionalValue("try-it.page", String.class).ifPresent(path -> pages.put("Inbox", http(path)));
        if (text("tidemark.feed-browser", "false").equals("true")) {
            pages.put("Browser", http("/browse"));
        }
        pages.put(
                "OpenAPI",
                http("/q/openapi")
                        + (LaunchMode.current() == LaunchMode.DEVELOPMENT
                                ? ", Swagger UI " + http("/q/swagger-ui")
                                : ""));
        pages.put("Health", management("/q/health/ready") + ", metrics " + management("/q/metrics"));
        return pages;
    }

    /** Returns the URL of a path. If the configured port is 0, the URL contains the free port that was opened. */
    String http(String path) {
        boolean plain = text("quarkus.http.insecure-requests", "enabled").equalsIgnoreCase("enabled");
        return (plain ? "http://" : "https://")
                + host("quarkus.http.host")
                + ':'
                + (plain ? text("quarkus.http.port", "8080") : text("quarkus.http.ssl-port", "8443"))
                + path;
    }

    private String management(String path) {
        if (!text("quarkus.management.enabled", "false").equals("true")) {
            return http(path);
        }
        String scheme = text("quarkus.management.tls-configuration-name", "").isEmpty() ? "http://" : "https://";
        return scheme + host("quarkus.management.host") + ':' + text("quarkus.management.port", "9000") + path;
    }

    private String host(String property) {
        String host = text(property, "");
        return ANY_ADDRESS.contains(host) ? "localhost" : host.contains(":") ? '[' + host + ']' : host;
    }

    private String text(String property, String otherwise) {
        return config.getOptionalValue(property, String.class).orElse(otherwise);
    }
}

package dev.tidemark.http;

import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Set;

/** Keeps clients from choosing labels, and so from making as many series as they like. */
final class MetricLabels {

    private static final String OTHER = "OTHER";

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT");

    private static final Set<String> PATHS = Set.of(
            "/api",
            "/api/{feed}",
            "/api/{feed}/fresh",
            "/q/health",
            "/q/health/live",
            "/q/health/ready",
            "/q/health/started",
            "/q/metrics",
            "/q/openapi",
            "NOT_FOUND",
            "REDIRECTION",
            "UNKNOWN",
            "root");

    @Produces
    @Singleton
    MeterFilter methods() {
        return MeterFilter.replaceTagValues("method", method -> METHODS.contains(method) ? method : OTHER);
    }

    @Produces
    @Singleton
    MeterFilter paths() {
        return MeterFilter.replaceTagValues("uri", path -> PATHS.contains(path) ? path : OTHER);
    }
}

package dev.tidemark.http.health;

import dev.tidemark.feed.FeedHealth;
import dev.tidemark.feed.Feeds;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready while a feed can be served; where none is declared, the file that declares them is most likely not there. One whose
 * table was changed under it is told of, and takes no others out of service: they would be on all instances at once.
 * Made at the start, so that its metric is there also where nobody asks whether it is ready.
 */
@Readiness
@Singleton
@Startup
class FeedReadinessCheck implements AsyncHealthCheck {

    /** Past this it tells what was known before. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final Feeds feeds;
    private final FeedHealth health;
    private final MeterRegistry metrics;
    private final Gauge broken;

    FeedsResolved(Feeds feeds, FeedHealth health, MeterRegistry metrics) {
        this.feeds = feeds;
        this.health = health;
        this.metrics = metrics;
        this.broken = Gauge.builder("tidemark.feeds.broken", health, gauged -> gauged.broken()
                        .size())
                .description("Feeds that are not served because they no longer fit their tables")
                .register(metrics);
    }

    /** In dev mode the registry outlives the application, and would go on with the feeds of the one before. */
    @PreDestroy
    void removeMetric() {
        metrics.remove(broken);
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return health.recheck()
                .ifNoItem()
                .after(SOON)
                .recoverWithItem(health::broken)
                .map(this::response);
    }

    private HealthCheckResponse response(Map<String, String> broken) {
        int count = feeds.all().size();
        HealthCheckResponseBuilder response =
                HealthCheckResponse.named("feeds").status(broken.size() < count).withData("count", count);
        broken.forEach((feed, reason) -> response.withData("broken." + feed, reason));
        return response.build();
    }
}

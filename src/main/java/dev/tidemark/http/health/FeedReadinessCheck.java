package dev.tidemark.http.health;

import dev.tidemark.feed.FeedHealth;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.read.RejectedStatements;
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
 * Ready if at least one feed can be served. If no feed is declared, the configuration file is most likely missing. A
 * feed that no longer matches its table is reported, but does not fail readiness as long as another feed can be
 * served. Otherwise, all instances would go out of service at once. A feed of which the database has just rejected a
 * statement is reported, too: some of its pages cannot be served.
 *
 * <p>Created at startup so that its metric exists before the first readiness request.
 */
@Readiness
@Singleton
@Startup
class FeedReadinessCheck implements AsyncHealthCheck {

    /** If the check of the feeds takes longer, the result of the previous check is returned. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final Feeds feeds;
    private final FeedHealth health;
    private final RejectedStatements rejected;
    private final MeterRegistry metrics;
    private final Gauge brokenFeedsGauge;

    FeedReadinessCheck(Feeds feeds, FeedHealth health, RejectedStatements rejected, MeterRegistry metrics) {
        this.feeds = feeds;
        this.rejected = rejected;
        this.health = health;
        this.metrics = metrics;
        this.brokenFeedsGauge = Gauge.builder("tidemark.feeds.broken", health, gauged -> gauged.brokenFeeds()
                        .size())
                .description("Feeds that are not served because they no longer match their tables")
                .register(metrics);
    }

    /**
     * Removes the metric, because in dev mode the registry survives a restart and would continue to report the feeds
     * of the previous run.
     */
    @PreDestroy
    void removeMetric() {
        metrics.remove(brokenFeedsGauge);
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return health.recheck()
                .ifNoItem()
                .after(TIMEOUT)
                .recoverWithItem(health::brokenFeeds)
                .map(this::response);
    }

    private HealthCheckResponse response(Map<String, String> reasonsByFeed) {
        int count = feeds.all().size();
        HealthCheckResponseBuilder response = HealthCheckResponse.named("feeds")
                .status(reasonsByFeed.size() < count)
                .withData("count", count);
        reasonsByFeed.forEach((feed, reason) -> response.withData("broken." + feed, reason));
        rejected.recent().forEach((feed, sqlState) -> {
            if (!reasonsByFeed.containsKey(feed) && feeds.find(feed).isPresent()) {
                response.withData(
                        "rejected." + feed,
                        "the database rejected a statement with SQLSTATE " + sqlState + "; see the server's log");
            }
        });
        return response.build();
    }
}

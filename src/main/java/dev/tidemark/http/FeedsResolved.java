package dev.tidemark.http;

import dev.tidemark.feed.Feeds;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready once the feeds were held against the database; whether it still answers is its client's own check. */
@Readiness
@Singleton
class FeedsResolved implements AsyncHealthCheck {

    private final Feeds feeds;

    FeedsResolved(Feeds feeds) {
        this.feeds = feeds;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return Uni.createFrom()
                .item(HealthCheckResponse.named("feeds")
                        .up()
                        .withData("count", feeds.all().size())
                        .build());
    }
}

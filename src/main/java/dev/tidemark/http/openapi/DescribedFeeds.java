package dev.tidemark.http.openapi;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import io.quarkus.arc.Unremovable;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import jakarta.inject.Singleton;
import java.util.List;

/** The feeds that the OpenAPI document describes. They are the same for all callers. */
@Singleton
@Unremovable
class DescribedFeeds {

    private final List<Feed> all;
    private final boolean restricted;
    private final JWTAuthContextInfo verification;

    DescribedFeeds(Feeds feeds, OpenApiConfig config, JWTAuthContextInfo verification) {
        this.all = feeds.all();
        this.restricted = config.restrictedFeeds();
        this.verification = verification;
    }

    /** Named after all feeds, so that no name changes when restricted feeds are described or no longer described. */
    Names names() {
        return new Names(all);
    }

    List<Feed> described() {
        return all.stream()
                .filter(feed -> restricted || feed.access().isPublic())
                .toList();
    }

    /** How callers send their tokens. */
    SecurityDescription security() {
        return new SecurityDescription(
                verification.getTokenHeader(),
                verification.getTokenCookie(),
                described().stream().anyMatch(feed -> !feed.access().isPublic()));
    }
}

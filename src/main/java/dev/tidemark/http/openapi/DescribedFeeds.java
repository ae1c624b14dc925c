package dev.tidemark.http.openapi;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import io.quarkus.arc.Unremovable;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import jakarta.inject.Singleton;
import java.util.List;

/** The feeds that the OpenAPI document describes. The document is the same for all callers. */
@Singleton
@Unremovable
class DescribedFeeds {

    private final Feeds feeds;
    private final boolean restricted;
    private final JWTAuthContextInfo verification;

    DescribedFeeds(Feeds feeds, OpenApiConfig config, JWTAuthContextInfo verification) {
        this.feeds = feeds;
        this.restricted = config.restrictedFeeds();
        this.verification = verification;
    }

    /**
     * Returns all current feeds. Names in the document are derived from all of them, so that no name changes when the
     * document also describes restricted feeds.
     */
    List<Feed> all() {
        return feeds.all();
    }

    List<Feed> selectDescribed(List<Feed> all) {
        return all.stream()
                .filter(feed -> restricted || feed.access().isPublic())
                .toList();
    }

    /** Returns whether one of the described feeds needs a token, and how callers send it. */
    SecurityDescription security(List<Feed> described) {
        return new SecurityDescription(
                verification.getTokenHeader(),
                verification.getTokenCookie(),
                described.stream().anyMatch(feed -> !feed.access().isPublic()));
    }
}

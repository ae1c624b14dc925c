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
    private final boolean includesRestricted;
    private final JWTAuthContextInfo verification;

    DescribedFeeds(Feeds feeds, OpenApiConfig config, JWTAuthContextInfo verification) {
        this.feeds = feeds;
        this.includesRestricted = config.restrictedFeeds();
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
                .filter(feed -> includesRestricted || feed.access().isPublic())
                .toList();
    }

    /** Returns whether one of the described feeds needs a token, and how callers send it. */
    SecurityDescription security(List<Feed> describedFeeds) {
        return new SecurityDescription(
                verification.getTokenHeader(),
                verification.getTokenCookie(),
                describedFeeds.stream().anyMatch(feed -> !feed.access().isPublic()));
    }
}

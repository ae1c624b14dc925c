package dev.tidemark.http.openapi;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import io.quarkus.arc.Unremovable;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The feeds that the OpenAPI document describes. The document is the same for all callers. */
@Singleton
@Unremovable
class DescribedFeeds {

    private final Feeds feeds;
    private final boolean includesRestricted;
    private final JWTAuthContextInfo verification;

    /** The feed whose document the current thread creates; absent for the document of all feeds. */
    private final ThreadLocal<Feed> only = new ThreadLocal<>();

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
        Feed feed = only.get();
        return feed == null ? all.stream().filter(this::isDescribed).toList() : List.of(feed);
    }

    private boolean isDescribed(Feed feed) {
        return includesRestricted || feed.access().isPublic();
    }

    /** Returns the feed with this name, if the document describes it. */
    Optional<Feed> find(String name) {
        return feeds.find(name).filter(this::isDescribed);
    }

    /** Creates a document that describes only this feed. */
    byte[] describeOnly(Feed feed, Supplier<byte[]> document) {
        only.set(feed);
        try {
            return document.get();
        } finally {
            only.remove();
        }
    }

    /** Returns whether the document that the current thread creates describes a single feed. */
    boolean isOfOneFeed() {
        return only.get() != null;
    }

    /** Returns whether one of the described feeds needs a token, and how callers send it. */
    SecurityDescription security(List<Feed> describedFeeds) {
        return new SecurityDescription(
                verification.getTokenHeader(),
                verification.getTokenCookie(),
                describedFeeds.stream().anyMatch(feed -> !feed.access().isPublic()));
    }
}

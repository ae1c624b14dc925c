package dev.tidemark.http.openapi;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** The feeds that the OpenAPI document describes. The document is the same for all callers. */
@Singleton
class DescribedFeeds {

    private final Feeds feeds;
    private final boolean includesRestricted;
    private final JWTAuthContextInfo verification;

    DescribedFeeds(Feeds feeds, OpenApiConfig config, JWTAuthContextInfo verification) {
        this.feeds = feeds;
        this.includesRestricted = config.restrictedFeeds();
        this.verification = verification;
    }

    /** Returns the feed with this name, if the document describes it. */
    Optional<Feed> find(String name) {
        return feeds.find(name).filter(this::isDescribed);
    }

    private boolean isDescribed(Feed feed) {
        return includesRestricted || feed.access().isPublic();
    }

    /** Turns the template into the document of all feeds. */
    JsonObject describeAll(JsonObject template) {
        List<Feed> all = feeds.all();
        List<Feed> described = all.stream().filter(this::isDescribed).toList();
        FeedsDocument document = new FeedsDocument(template, all);
        document.addList(described);
        described.forEach(document::add);
        return document.finish(tokenScheme());
    }

    /** Turns the template into the document of a single feed. */
    JsonObject describe(Feed feed, JsonObject template) {
        FeedsDocument document = new FeedsDocument(template, feeds.all());
        document.add(feed);
        return document.finish(tokenScheme());
    }

    private JsonObject tokenScheme() {
        JsonObject scheme = new JsonObject();
        String header = verification.getTokenHeader();
        if (header.equalsIgnoreCase("Authorization")) {
            scheme.put("type", "http").put("scheme", "bearer").put("bearerFormat", "JWT");
        } else if (header.equalsIgnoreCase("Cookie")) {
            scheme.put("type", "apiKey").put("in", "cookie").put("name", verification.getTokenCookie());
        } else {
            scheme.put("type", "apiKey").put("in", "header").put("name", header);
        }
        return scheme.put("description", "A JSON Web Token of the identity provider that this server trusts.");
    }
}

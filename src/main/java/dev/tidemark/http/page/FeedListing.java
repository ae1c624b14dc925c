package dev.tidemark.http.page;

import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.http.access.BearerToken;
import dev.tidemark.http.caching.ConditionalResponses;
import dev.tidemark.http.caching.TaggedBody;
import dev.tidemark.http.caching.Vary;
import dev.tidemark.http.json.Json;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * Responds to {@code GET /api} with descriptions of the feeds that the caller may read. The same caller gets the same
 * bytes until a feed is replaced.
 */
@Singleton
public class FeedListing {

    private final KeyedHash hash;
    private final Vary vary;

    @SuppressWarnings("NullAway.Init") // The constructor sets it while it begins to follow the feeds.
    private volatile CurrentFeeds current;

    /** @param publicListing the listing for callers without a token */
    private record CurrentFeeds(List<Feed> all, boolean areAllPublic, TaggedBody publicListing) {}

    FeedListing(Feeds feeds, KeyedHash hash, Vary vary) {
        this.hash = hash;
        this.vary = vary;
        feeds.follow(() -> current = currentFeeds(feeds.all()));
    }

    private CurrentFeeds currentFeeds(List<Feed> feeds) {
        Predicate<Feed> isPublic = feed -> feed.access().isPublic();
        return new CurrentFeeds(feeds, feeds.stream().allMatch(isPublic), listing(feeds, isPublic));
    }

    /** Returns whether every feed is public, so that no request needs a token. */
    boolean areAllFeedsPublic() {
        return current.areAllPublic();
    }

    RestResponse<byte[]> respond(HttpServerRequest request, Optional<BearerToken> token) {
        CurrentFeeds feeds = current;
        TaggedBody listing = token.map(bearer -> listing(
                        feeds.all(), feed -> bearer.callerFor(feed.access()).isPresent()))
                .orElse(feeds.publicListing());
        request.response()
                .putHeader(HttpHeaders.CACHE_CONTROL, "private, no-cache")
                .putHeader(HttpHeaders.VARY, feeds.areAllPublic() ? vary.commonHeaders() : vary.withTokenHeaders());
        return ConditionalResponses.taggedResponse(request, listing);
    }

    private TaggedBody listing(List<Feed> feeds, Predicate<Feed> isReadable) {
        return TaggedBody.of(json(feeds.stream().filter(isReadable).toList()), hash);
    }

    /** Returns the JSON for a caller who may read exactly these feeds. */
    public static byte[] json(List<Feed> readable) {
        return Json.bytes(new JsonObject().put("feeds", array(readable, FeedListing::json)));
    }

    private static JsonObject json(Feed feed) {
        Feed.Policy policy = feed.policy();
        JsonObject json = new JsonObject()
                .put("name", feed.name())
                .put("orders", array(feed.orders().all(), order -> json(order, feed)))
                .put("filters", array(feed.filters().values(), FeedListing::json))
                .put("columns", array(feed.columns(), FeedListing::json))
                .put("limit", json(policy.limits()))
                .put("universal", universalProtocol(feed))
                .put("count", lowerCase(policy.count().maxPrecision()));
        if (!feed.embeds().isEmpty()) {
            json.put("embeds", array(feed.embeds(), FeedListing::json));
        }
        if (!feed.counts().isEmpty()) {
            json.put("counts", array(feed.counts(), Column::name));
        }
        if (policy.delta().isPresent()) {
            json.put("delta", true);
        }
        return policy.search().columns().isEmpty() ? json : json.put("search", json(policy.search()));
    }

    private static JsonObject json(Feed.Search search) {
        return new JsonObject()
                .put("columns", array(search.columns(), Column::name))
                .put("scan", search.scan());
    }

    private static JsonObject json(Embed embed) {
        return new JsonObject().put("name", embed.name()).put("columns", array(embed.columns(), FeedListing::json));
    }

    private static JsonObject json(Order order, Feed feed) {
        return new JsonObject()
                .put("name", order.name())
                .put("by", orderBy(order))
                .put("default", order.equals(feed.orders().byDefault()))
                .put("live", order.live());
    }

    private static JsonObject json(Filter filter) {
        return new JsonObject()
                .put("column", filter.column().name())
                .put("type", filter.column().clientType())
                .put("operators", array(filter.operators(), Filter.Operator::wireName));
    }

    private static JsonObject json(Column column) {
        return new JsonObject()
                .put("name", column.name())
                .put("type", column.clientType())
                .put("nullable", column.nullable());
    }

    private static JsonObject json(Feed.Limits limits) {
        return new JsonObject()
                .put("default", limits.byDefault())
                .put("web_default", limits.webDefault())
                .put("max", limits.max());
    }

    private static JsonObject universalProtocol(Feed feed) {
        Feed.UniversalPolicy universal = feed.policy().universal();
        JsonObject json = new JsonObject()
                .put("strategy", lowerCase(universal.strategy()))
                .put("backward", universal.backward());
        // Only the universal protocol serves a feed without a key.
        return feed.relation().hasKey() ? json : json.put("only", true);
    }

    private static <T> JsonArray array(Collection<T> values, Function<T, ?> element) {
        return new JsonArray(values.stream().map(element).collect(Collectors.toList()));
    }

    /** Returns the order as SQL, with NULLS FIRST or NULLS LAST only if that is not PostgreSQL's default. */
    public static String orderBy(Order order) {
        return order.keys().stream().map(FeedListing::orderByTerm).collect(Collectors.joining(", "));
    }

    private static String orderByTerm(OrderKey key) {
        String nulls = key.nullsFirst() == key.descending() ? "" : key.nullsFirst() ? " nulls first" : " nulls last";
        return key.column().name() + (key.descending() ? " desc" : "") + nulls;
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}

package dev.tidemark.http.page;

import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.http.access.BearerToken;
import dev.tidemark.http.caching.ConditionalResponses;
import dev.tidemark.http.caching.Vary;
import dev.tidemark.http.caching.WeakTag;
import dev.tidemark.http.json.Json;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
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
 * The response to {@code GET /api}: the feeds that the caller may read, with their orders, filters and columns. The
 * same caller gets the same bytes until the feeds are replaced.
 */
@Singleton
public class FeedListing {

    private final KeyedHash hash;
    private final Vary vary;
    private volatile Content content;

    /** @param isPublic whether every feed is public */
    private record Content(List<Feed> feeds, boolean isPublic, Listed publicFeeds) {}

    private record Listed(byte[] bytes, WeakTag tag) {}

    FeedListing(Feeds feeds, KeyedHash hash, Vary vary) {
        this.hash = hash;
        this.vary = vary;
        content = content(feeds.all());
    }

    void onReplaced(@Observes @Priority(Feeds.Replaced.LIST) Feeds.Replaced feeds) {
        content = content(feeds.after());
    }

    private Content content(List<Feed> feeds) {
        Predicate<Feed> isPublic = feed -> feed.access().isPublic();
        return new Content(feeds, feeds.stream().allMatch(isPublic), listed(feeds, isPublic));
    }

    /** Whether every feed is public, so that no request needs a token. */
    boolean isPublic() {
        return content.isPublic();
    }

    RestResponse<byte[]> respond(HttpServerRequest request, Optional<BearerToken> token) {
        Content current = content;
        Listed listed = token.map(reader -> listed(
                        current.feeds(), feed -> reader.callerFor(feed.access()).isPresent()))
                .orElse(current.publicFeeds());
        request.response()
                .putHeader(HttpHeaders.CACHE_CONTROL, "private, no-cache")
                .putHeader(HttpHeaders.VARY, current.isPublic() ? vary.common() : vary.withToken());
        return ConditionalResponses.taggedResponse(request, listed.bytes(), listed.tag());
    }

    private Listed listed(List<Feed> feeds, Predicate<Feed> readable) {
        byte[] bytes = json(feeds.stream().filter(readable).toList());
        return new Listed(bytes, WeakTag.of(bytes, hash));
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
                .put("universal", universal(feed))
                .put("count", lower(policy.count().maxPrecision()));
        return policy.delta().isPresent() ? json.put("delta", true) : json;
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
                .put("type", filter.column().sqlType())
                .put("operators", array(filter.operators(), Filter.Operator::wireName));
    }

    private static JsonObject json(Column column) {
        return new JsonObject()
                .put("name", column.name())
                .put("type", column.sqlType())
                .put("nullable", column.nullable());
    }

    private static JsonObject json(Feed.Limits limits) {
        return new JsonObject()
                .put("default", limits.byDefault())
                .put("web_default", limits.web())
                .put("max", limits.max());
    }

    private static JsonObject universal(Feed feed) {
        Feed.UniversalPolicy universal = feed.policy().universal();
        JsonObject json =
                new JsonObject().put("strategy", lower(universal.strategy())).put("backward", universal.backward());
        // A feed without a key has no pages under /api.
        return feed.relation().hasKey() ? json : json.put("only", true);
    }

    private static <T> JsonArray array(Collection<T> values, Function<T, ?> element) {
        return new JsonArray(values.stream().map(element).collect(Collectors.toList()));
    }

    /** The order as in ORDER BY, with NULLS FIRST or LAST only if that is not PostgreSQL's default. */
    public static String orderBy(Order order) {
        return order.keys().stream().map(FeedListing::term).collect(Collectors.joining(", "));
    }

    private static String term(OrderKey key) {
        String nulls = key.nullsFirst() == key.descending() ? "" : key.nullsFirst() ? " nulls first" : " nulls last";
        return key.column().name() + (key.descending() ? " desc" : "") + nulls;
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}

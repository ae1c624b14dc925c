package dev.tidemark.http.page;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tidemark.cursor.KeyedHash;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.http.access.BearerToken;
import dev.tidemark.http.caching.Conditional;
import dev.tidemark.http.caching.Vary;
import dev.tidemark.http.caching.WeakTag;
import dev.tidemark.http.json.Json;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * The response to {@code GET /api}: the feeds that the caller may read, with their orders, filters and columns. The
 * same caller gets the same bytes until the feeds are replaced.
 */
@Singleton
public class FeedCatalogue {

    private final KeyedHash hash;
    private final Vary vary;
    private volatile Content content;

    /** @param isPublic whether every feed is public */
    private record Content(List<Feed> feeds, boolean isPublic, Listed publicFeeds) {}

    private record Listed(byte[] bytes, WeakTag tag) {}

    FeedCatalogue(Feeds feeds, KeyedHash hash, Vary vary) {
        this.hash = hash;
        this.vary = vary;
        content = content(feeds.all());
    }

    void onReplaced(@Observes @Priority(Feeds.Replaced.LIST) Feeds.Replaced feeds) {
        content = content(feeds.after());
    }

    private Content content(List<Feed> feeds) {
        return new Content(
                feeds, feeds.stream().allMatch(feed -> feed.access().isPublic()), listed(feeds, feed -> feed.access()
                        .isPublic()));
    }

    /** Whether every feed is public, so that no request needs a token. */
    boolean isPublic() {
        return content.isPublic();
    }

    RestResponse<byte[]> answer(HttpServerRequest request, Optional<BearerToken> token) {
        Content current = content;
        Listed listed = token.map(reader -> listed(
                        current.feeds(), feed -> reader.callerFor(feed.access()).isPresent()))
                .orElse(current.publicFeeds());
        request.response()
                .putHeader(HttpHeaders.CACHE_CONTROL, "private, no-cache")
                .putHeader(HttpHeaders.VARY, current.isPublic() ? vary.always() : vary.withToken());
        return Conditional.answer(request, listed.bytes(), listed.tag());
    }

    private Listed listed(List<Feed> feeds, Predicate<Feed> readable) {
        byte[] bytes = json(feeds.stream().filter(readable).toList());
        return new Listed(bytes, WeakTag.of(bytes, hash));
    }

    /** Returns the JSON for a caller who may read exactly these feeds. */
    public static byte[] json(List<Feed> readable) {
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("feeds");
            for (Feed feed : readable) {
                write(json, feed);
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void write(JsonGenerator json, Feed feed) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", feed.name());
        json.writeArrayFieldStart("orders");
        for (Order order : feed.orders().all()) {
            json.writeStartObject();
            json.writeStringField("name", order.name());
            json.writeStringField("by", by(order));
            json.writeBooleanField("default", order.equals(feed.orders().byDefault()));
            json.writeBooleanField("live", order.live());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("filters");
        for (Filter filter : feed.filters().values()) {
            json.writeStartObject();
            json.writeStringField("column", filter.column().name());
            json.writeStringField("type", filter.column().sqlType());
            json.writeArrayFieldStart("operators");
            for (Filter.Operator operator : filter.operators()) {
                json.writeString(operator.wireName());
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("columns");
        for (Column column : feed.columns()) {
            json.writeStartObject();
            json.writeStringField("name", column.name());
            json.writeStringField("type", column.sqlType());
            json.writeBooleanField("nullable", column.nullable());
            json.writeEndObject();
        }
        json.writeEndArray();
        writePolicy(json, feed);
        json.writeEndObject();
    }

    private static void writePolicy(JsonGenerator json, Feed feed) throws IOException {
        Feed.Policy policy = feed.policy();
        json.writeObjectFieldStart("limit");
        json.writeNumberField("default", policy.limits().byDefault());
        json.writeNumberField("web_default", policy.limits().web());
        json.writeNumberField("max", policy.limits().max());
        json.writeEndObject();
        json.writeObjectFieldStart("universal");
        json.writeStringField("strategy", lower(policy.universal().strategy()));
        json.writeBooleanField("backward", policy.universal().backward());
        if (!feed.relation().hasKey()) {
            // A feed without a key has no pages under /api.
            json.writeBooleanField("only", true);
        }
        json.writeEndObject();
        json.writeStringField("count", lower(policy.count().maxPrecision()));
        if (policy.delta().isPresent()) {
            json.writeBooleanField("delta", true);
        }
    }

    /** The order as in ORDER BY, with NULLS FIRST or LAST only if that is not PostgreSQL's default. */
    public static String by(Order order) {
        return order.keys().stream().map(FeedCatalogue::by).collect(Collectors.joining(", "));
    }

    private static String by(OrderKey key) {
        String nulls = key.nullsFirst() == key.descending() ? "" : key.nullsFirst() ? " nulls first" : " nulls last";
        return key.column().name() + (key.descending() ? " desc" : "") + nulls;
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}

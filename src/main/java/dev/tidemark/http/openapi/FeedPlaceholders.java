package dev.tidemark.http.openapi;

import static java.util.stream.Collectors.joining;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.CountPolicy.Precision;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.Order;
import dev.tidemark.http.page.FeedListing;
import dev.tidemark.http.query.FieldNames;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the template of the OpenAPI document has placeholders for. */
final class FeedPlaceholders {

    /** The tokens in examples. No server can open them. */
    private static final String TOP = "AR_9fXdMKJsLyVKB4qAKsgESwq8Re06TP5TWKrhgUA36xuR-frllogIba-V5";

    private static final String LAST = "AR_9fXefFa_V7R1ahxp5tUJA6USx4DmnOaYifNktQKDzFq51YlGjBGGEPddu";
    private static final String MOMENT = "AR_9fXcyo9tJmlRpIiQZ3q1ehLTdAItdSBPPT-_w0lumAqc1yxGoW8Cuec-q";

    private FeedPlaceholders() {}

    static Placeholders of(Feed feed, ColumnSchemas columns) {
        Feed.Policy policy = feed.policy();
        Feed.Limits limits = policy.limits();
        List<Order> orders = feed.orders().all();
        List<Column> key = feed.relation().key();
        int deltaMax = policy.delta().map(Feed.Delta::max).orElse(limits.max());
        boolean hasDelta = policy.delta().isPresent();
        Map<String, Object> values = new HashMap<>();
        values.put("feed", feed.name());
        values.put("Feed", columns.names().feedName(feed));
        values.put("default", limits.byDefault());
        values.put("max", limits.max());
        values.put("deltaMax", deltaMax);
        values.put("sinceMax", hasDelta ? " With `since`, the maximum is " + deltaMax + '.' : "");
        values.put(
                "webDefault",
                limits.webDefault() == limits.byDefault()
                        ? ""
                        : " For clients that send `Sec-CH-UA-Mobile: ?0`, the default is " + limits.webDefault() + '.');
        values.put(
                "searchColumns",
                policy.search().columns().stream()
                        .map(column -> '`' + column.name() + '`')
                        .collect(joining(", ")));
        values.put("scan", policy.search().scan());
        values.put(
                "searches",
                Stream.concat(
                                policy.search().columns().stream().limit(1).map(column -> "`q`"),
                                feed.filters().values().stream()
                                        .filter(filter -> filter.kinds().contains(Filter.Kind.TEXT))
                                        .map(filter -> '`' + filter.column().name() + ".contains`"))
                        .collect(joining(" or ")));
        values.put("order", feed.orders().byDefault().name());
        values.put("orders", new JsonArray(orders.stream().map(Order::name).toList()));
        values.put(
                "orderTerms",
                orders.stream()
                        .map(order -> "- `" + order.name() + "`: `" + FeedListing.orderBy(order) + '`')
                        .collect(joining("\n")));
        values.put(
                "firstColumns",
                orders.stream()
                        .map(order -> '`' + order.keys().get(0).column().name() + "` in `" + order.name() + '`')
                        .collect(joining(", ")));
        values.put(
                "counted",
                new JsonArray(feed.counts().stream().map(Column::name).toList()));
        values.put("fields", new JsonArray(FieldNames.all(feed)));
        values.put("cap", policy.count().cap());
        boolean countsExactly = policy.count().maxPrecision() == Precision.EXACT;
        values.put("precisions", new JsonArray(countsExactly ? List.of("estimate", "exact") : List.of("estimate")));
        values.put("Paging", countsExactly ? "UniversalPagingWithCount" : "UniversalPaging");
        values.put(
                "keyColumns",
                key.stream().map(column -> '`' + column.name() + '`').collect(joining(", "))
                        + (key.size() == 1 ? "" : ". Repeat the parameter for each column, in this order"));
        values.put("keyParameter", columns.keyParameter());
        values.put("key", columns.key().schema());
        values.put("exampleKey", Json.encode(columns.key().example()));
        values.put("exampleItem", columns.item().example());
        values.put("top", TOP);
        values.put("last", LAST);
        values.put("moment", MOMENT);
        values.put("exportMoment", hasDelta ? ",\"moment\":\"" + MOMENT + '"' : "");
        values.put("token", policy.universal().strategy() == Feed.UniversalPolicy.Strategy.OFFSET ? "1" : LAST);
        return new Placeholders(values);
    }
}

package dev.tidemark.feed;

import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Feed.Relation.Storage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Feeds for tests that need no database. */
public final class SampleFeeds {

    public static final Column ID = new Column("id", Scalar.BIGINT, "bigint", false);
    public static final Column CREATED_AT =
            new Column("created_at", Scalar.TIMESTAMPTZ, "timestamp with time zone", false);
    public static final Column SUBJECT = new Column("subject", Scalar.TEXT, "text", true);
    public static final Column STATUS =
            new Column("status", new ColumnType.EnumType(List.of("open", "pending", "closed")), "status", false);
    public static final Column PRIORITY = new Column("priority", Scalar.SMALLINT, "smallint", true);

    private SampleFeeds() {}

    /** A support inbox with an order by time, one by subject, and filters of every kind. */
    public static Feed messages() {
        return messages("messages");
    }

    public static Feed messages(String name) {
        Order newest = order("newest", new OrderKey(CREATED_AT, true, true), new OrderKey(ID, true, true));
        Order subject = order("subject", new OrderKey(SUBJECT, false, false), new OrderKey(ID, false, false));
        return new Feed(
                name,
                new Feed.Relation("public", "messages", List.of(ID), Optional.empty(), Set.of(), Storage.LOCAL),
                List.of(ID, CREATED_AT, SUBJECT, STATUS, PRIORITY),
                new Feed.Orders(List.of(newest, subject), newest),
                Map.of(
                        "status", new Filter(STATUS, Set.of(Filter.Kind.EQUALS)),
                        "priority", new Filter(PRIORITY, Set.of(Filter.Kind.EQUALS, Filter.Kind.RANGE)),
                        "created_at", new Filter(CREATED_AT, Set.of(Filter.Kind.RANGE)),
                        "subject", new Filter(SUBJECT, Set.of(Filter.Kind.TEXT))),
                new Feed.Policy(
                        new Feed.Limits(30, 50, 100),
                        new Feed.CountPolicy(Feed.CountPolicy.Precision.NONE, 10_000),
                        "private, no-cache",
                        new Feed.UniversalPolicy(Feed.UniversalPolicy.Strategy.CURSOR, true, 10_000),
                        Feed.Search.NONE,
                        Optional.empty()),
                Access.PUBLIC);
    }

    /** The support inbox with delta, and with these members of its items. */
    public static Feed messagesWithDelta(List<Column> columns, Embed... embeds) {
        Feed feed = messages();
        Feed.Policy policy = feed.policy();
        return new Feed(
                        feed.name(),
                        feed.relation(),
                        columns,
                        List.of(embeds),
                        List.of(),
                        feed.orders(),
                        feed.filters(),
                        feed.counts(),
                        new Feed.Policy(
                                policy.limits(),
                                policy.count(),
                                policy.cacheControl(),
                                policy.universal(),
                                policy.search(),
                                Optional.of(new Feed.Delta(1000, TextSources.NONE, ""))),
                        feed.access(),
                        feed.indexes())
                .withTextSources(TextSources.NONE);
    }

    public static Order order(String name, OrderKey... keys) {
        return new Order(name, List.of(keys), false);
    }

    /** The list of a feed in one of its orders, under these conditions. */
    public static ListState listState(Feed feed, String order, Condition... conditions) {
        return new ListState(feed, feed.orders().find(order).orElseThrow(), List.of(conditions));
    }
}

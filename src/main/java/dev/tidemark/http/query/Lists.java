package dev.tidemark.http.query;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.Order;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The list states of a feed; those without conditions, which most requests are for, are made once. */
final class Lists {

    private final Feed feed;
    private final Map<String, ListState> whole = new ConcurrentHashMap<>();

    Lists(Feed feed) {
        this.feed = feed;
    }

    ListState of(Order order, List<Condition> conditions) {
        return conditions.isEmpty()
                ? whole.computeIfAbsent(order.name(), name -> new ListState(feed, order, conditions))
                : new ListState(feed, order, conditions);
    }
}

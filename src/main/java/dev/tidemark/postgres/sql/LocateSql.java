package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.paging.Position;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Builds the statements that find an item of a list by the key of the feed's relation, and return the item's position
 * as text:
 *
 * <pre>
 *   SELECT "created_at"::text, "id"::text FROM … WHERE "id" = $1 AND … the list's conditions … LIMIT 1
 * </pre>
 */
public final class LocateSql {

    private final Feed feed;
    private final Order order;

    LocateSql(Feed feed, Order order) {
        this.feed = feed;
        this.order = order;
    }

    /** The parameters are the values of the relation's key, and then those of the list's conditions. */
    String statement(ListShape list) {
        String relation = feed.relation().name();
        List<Column> key = feed.relation().key();
        List<String> conditions = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            conditions.add(Sql.operand(relation, key.get(i)) + " = " + Values.PARAMETERS.of(i + 1, key.get(i)));
        }
        conditions.add(new RangeSql(feed, order, list, key.size() + 1).condition());
        String position = order.keys().stream()
                .map(OrderKey::column)
                .map(column -> Sql.column(relation, column) + "::text")
                .collect(Collectors.joining(", "));
        return "SELECT " + position + " FROM " + Sql.relation(feed.relation()) + " WHERE "
                + String.join(" AND ", conditions) + " LIMIT 1";
    }

    /** Returns the position that a row of the statement contains. */
    public static Position position(Row row) {
        String[] values = new String[row.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = row.getString(i);
        }
        return Position.of(values);
    }
}

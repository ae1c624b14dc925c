package dev.tidemark.postgres;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.paging.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What the statements of an order's pages return of a row, and where in it what stands. */
final class PageColumns {

    private final List<Column> selected;
    private final List<Column> keys;
    private final int[] keyIndexes;

    /** The feed's columns, and the order's keys that are not among them. */
    PageColumns(Feed feed, Order order) {
        selected = new ArrayList<>(feed.columns());
        keys = order.keys().stream().map(OrderKey::column).toList();
        keys.stream().filter(key -> !selected.contains(key)).forEach(selected::add);
        keyIndexes = keys.stream().mapToInt(selected::indexOf).toArray();
    }

    List<Column> selected() {
        return selected;
    }

    List<Column> keys() {
        return keys;
    }

    Position position(StatementRow row) {
        String[] values = new String[keyIndexes.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = keyText(row, i);
        }
        return Position.of(values);
    }

    /** The last key is looked at first: it is the one that tells most rows from most others. */
    boolean isAt(StatementRow row, Position position) {
        boolean same = position.size() == keyIndexes.length;
        for (int i = keyIndexes.length - 1; same && i >= 0; i--) {
            same = Objects.equals(keyText(row, i), position.value(i));
        }
        return same;
    }

    String keyText(StatementRow row, int key) {
        return row.positionText(keyIndexes[key], keys.get(key));
    }

    /** Which part of its page a row is, in a statement whose rows tell. */
    int part(StatementRow row) {
        int index = selected.size();
        return row.isNull(index) ? PageSql.NEAR : (int) row.integer(index);
    }

    /** Whether a row of a walk that ends at a gap stands before it. */
    boolean isWithin(StatementRow row) {
        return row.bool(selected.size() + 1);
    }
}

package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.LooseEquality;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.rows.StatementRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** What the statements of an order's pages return of a row, and where in it what stands. */
public final class PageColumns {

    private final List<Column> selected;
    private final List<Column> keys;
    private final int[] keyIndexes;
    private final int[] exactKeys;
    private final boolean isKeyExact;

    /** The feed's columns, and the order's keys that are not among them. */
    public PageColumns(Feed feed, Order order) {
        selected = new ArrayList<>(feed.columns());
        keys = order.keys().stream().map(OrderKey::column).toList();
        keys.stream().filter(key -> !selected.contains(key)).forEach(selected::add);
        keyIndexes = keys.stream().mapToInt(selected::indexOf).toArray();
        exactKeys = IntStream.range(0, keys.size())
                .filter(key -> isExact(keys.get(key)))
                .toArray();
        isKeyExact = feed.relation().key().stream().allMatch(PageColumns::isExact);
    }

    List<Column> selected() {
        return selected;
    }

    List<Column> keys() {
        return keys;
    }

    public Position position(StatementRow row) {
        String[] values = new String[keyIndexes.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = keyText(row, i);
        }
        return Position.of(values);
    }

    private static boolean isExact(Column column) {
        return !LooseEquality.equalValuesCanDifferInText(column);
    }

    /** Whether an item is known again by a position of so many keys; a jump's has but the first. */
    boolean canIdentifyItem(int keysOfPosition) {
        return isKeyExact && keysOfPosition == keyIndexes.length;
    }

    /** The last key is looked at first: it is the one that tells most rows from most others. */
    public boolean isAtPosition(StatementRow row, Position position) {
        boolean same = true;
        for (int i = keyIndexes.length - 1; same && i >= 0; i--) {
            same = Objects.equals(keyText(row, i), position.value(i));
        }
        return same;
    }

    /** Whether a row ties with none at the position, however that one reads. */
    public boolean isDistinctFrom(StatementRow row, Position position) {
        boolean tied = true;
        for (int i = exactKeys.length - 1; tied && i >= 0; i--) {
            tied = Objects.equals(keyText(row, exactKeys[i]), position.value(exactKeys[i]));
        }
        return !tied;
    }

    public String keyText(StatementRow row, int key) {
        return row.positionText(keyIndexes[key], keys.get(key));
    }

    /** Which part of its page a row is, in a statement whose rows tell. */
    public int part(StatementRow row) {
        int index = selected.size();
        return row.isNull(index) ? PageSql.NEAR : (int) row.integer(index);
    }

    /** Whether a row of a walk that ends at a gap stands before it. */
    public boolean isBeforeEnd(StatementRow row) {
        return row.bool(selected.size() + 1);
    }
}

package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.LooseEquality;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.rows.StatementRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** The columns that the page statements of an order return, and their indexes in a row. */
public final class PageColumns {

    private final List<Column> selected;
    private final List<Column> keys;
    private final int[] keyIndexes;
    private final int[] exactKeys;
    private final boolean isKeyExact;
    private final boolean hasMoment;

    /** Selects the feed's columns, then the order keys that are not among them. */
    public PageColumns(Feed feed, Order order) {
        selected = new ArrayList<>(feed.columns());
        keys = order.keys().stream().map(OrderKey::column).toList();
        keys.stream().filter(key -> !selected.contains(key)).forEach(selected::add);
        keyIndexes = keys.stream().mapToInt(selected::indexOf).toArray();
        exactKeys = IntStream.range(0, keys.size())
                .filter(key -> isExact(keys.get(key)))
                .toArray();
        hasMoment = feed.policy().delta().isPresent();
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

    /**
     * Whether a position with this many keys identifies a single item. The position of a jump to a value has only the
     * first key.
     */
    boolean canIdentifyItem(int keysOfPosition) {
        return isKeyExact && keysOfPosition == keyIndexes.length;
    }

    /**
     * Whether a row's key texts equal those of a position. Compares the last key first because it differs between most
     * rows.
     */
    public boolean isAtPosition(StatementRow row, Position position) {
        boolean same = true;
        for (int i = keyIndexes.length - 1; same && i >= 0; i--) {
            same = Objects.equals(keyText(row, i), position.value(i));
        }
        return same;
    }

    /**
     * Whether a row differs from a position in a key whose equal values always have equal text, so that the two cannot
     * tie.
     */
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

    /** The part of the page that a row belongs to; only for shapes that {@linkplain PageShape#hasParts have parts}. */
    public int part(StatementRow row) {
        int index = partIndex();
        return row.isNull(index) ? PageSql.NEAR : (int) row.integer(index);
    }

    /** Whether a row precedes the {@code until} gap of its page. */
    public boolean isBeforeEnd(StatementRow row) {
        return row.bool(partIndex() + 1);
    }

    private int partIndex() {
        return selected.size() + (hasMoment ? 1 : 0);
    }

    /** Whether a row is not an item but carries the moment of the page. */
    public boolean isMoment(StatementRow row) {
        return hasMoment && !row.isNull(selected.size());
    }

    public Moment moment(StatementRow row) {
        String text = row.text(selected.size());
        int slash = text.lastIndexOf('/');
        return new Moment(text.substring(0, slash), Long.parseLong(text.substring(slash + 1)));
    }

    /**
     * The index of the column that says whether a row was written since the moment of the request. It is the last
     * column.
     */
    public int writtenIndex(PageShape shape) {
        return partIndex() + (shape.hasParts() ? 1 : 0) + (shape.until().isPresent() ? 1 : 0);
    }
}

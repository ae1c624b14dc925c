package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.LooseEquality;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.rows.StatementRow;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns that the page statements of an order return, and their indexes in a row: the feed's columns, then the
 * values of its embeds, then the order keys that are not among the feed's columns, and then the additional columns
 * that the shape of the statement needs.
 */
public final class PageColumns {

    /** The columns that follow those of the relation, in this order. */
    public enum AdditionalColumn {
        /** The moment of the page in the first row, whose other columns are NULL; NULL in all other rows. */
        MOMENT("text", "\"tidemark moment\""),
        /**
         * The part of the statement that the row comes from, such as {@link PageSql#FAR}; NULL for
         * {@link PageSql#NEAR}.
         */
        PART("int", "\"tidemark part\""),
        /** Whether the row precedes the {@code until} gap. */
        PRECEDES_UNTIL("boolean", "\"tidemark precedes until\""),
        /** Whether the row was written since the moment that the request specifies. */
        WRITTEN("boolean", SinceSql.WRITTEN);

        private final String type;
        private final String sqlName;

        /** @param sqlName the quoted name of the column in a subquery */
        AdditionalColumn(String type, String sqlName) {
            this.type = type;
            this.sqlName = sqlName;
        }

        String sqlName() {
            return sqlName;
        }

        String nullLiteral() {
            return "NULL::" + type;
        }
    }

    private static final AdditionalColumn[] ADDITIONAL = AdditionalColumn.values();

    private final List<Column> feedColumns;
    private final List<Column> otherOrderKeys;
    private final List<Column> scannedColumns;
    private final List<Column> orderKeys;
    private final int[] orderKeyIndexes;
    private final int[] exactKeyIndexes;
    private final List<Column> notNullOrderKeys;

    /** The index of the first order key that cannot be NULL; -1 if all can. */
    private final int notNullIndex;

    private final boolean isRelationKeyExact;
    private final boolean hasMoment;

    /** The number of columns before the additional ones. */
    private final int valueCount;

    public PageColumns(Feed feed, Order order) {
        feedColumns = feed.columns();
        orderKeys = order.keys().stream().map(OrderKey::column).toList();
        otherOrderKeys = orderKeys.stream()
                .filter(key -> !feedColumns.contains(key))
                .distinct()
                .toList();
        scannedColumns = Stream.of(
                        feedColumns.stream(),
                        otherOrderKeys.stream(),
                        feed.embeds().stream()
                                .flatMap(embed -> embed.on().stream())
                                .map(Embed.Match::own))
                .flatMap(Function.identity())
                .distinct()
                .toList();
        orderKeyIndexes = orderKeys.stream()
                .mapToInt(key -> feedColumns.contains(key)
                        ? feedColumns.indexOf(key)
                        : feed.valueCount() + otherOrderKeys.indexOf(key))
                .toArray();
        valueCount = feed.valueCount() + otherOrderKeys.size();
        exactKeyIndexes = IntStream.range(0, orderKeys.size())
                .filter(key -> isExact(orderKeys.get(key)))
                .toArray();
        notNullOrderKeys = orderKeys.stream()
                .filter(key -> !key.nullable() && !feed.relation().key().contains(key))
                .distinct()
                .toList();
        notNullIndex = notNullOrderKeys.isEmpty() ? -1 : orderKeyIndexes[orderKeys.indexOf(notNullOrderKeys.get(0))];
        hasMoment = feed.policy().delta().isPresent();
        isRelationKeyExact = feed.relation().key().stream().allMatch(PageColumns::isExact);
    }

    /** The columns of the relation that the scans of the statements read, in the order in which they return them. */
    List<Column> scannedColumns() {
        return scannedColumns;
    }

    /** The order keys that are not among the feed's columns. */
    List<Column> otherOrderKeys() {
        return otherOrderKeys;
    }

    /**
     * The order keys that could not be NULL when the feed was resolved, without the relation's key. If that can be
     * NULL, the feed no longer matches its table.
     */
    List<Column> notNullOrderKeys() {
        return notNullOrderKeys;
    }

    /**
     * Rejects a row with NULL where no order key could be NULL when the feed was resolved. The statement can then miss
     * rows.
     *
     * @throws ReadFailure with {@link ReadFailure.Reason#FEED_UNAVAILABLE}
     */
    public void requireKeys(StatementRow row) {
        if (notNullIndex >= 0 && row.isNull(notNullIndex)) {
            throw new ReadFailure(
                    ReadFailure.Reason.FEED_UNAVAILABLE,
                    new IllegalStateException("an order key that was NOT NULL contains NULL"));
        }
    }

    public Position position(StatementRow row) {
        String[] values = new String[orderKeyIndexes.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = keyText(row, i);
        }
        return Position.of(values);
    }

    /** Whether equal values of the column always have equal text. */
    private static boolean isExact(Column column) {
        return !LooseEquality.equalValuesCanDifferInText(column);
    }

    /**
     * Whether the text of a position with this many keys identifies a single item. The position of a jump to a value
     * has only the first key, which does not identify an item. If equal values of the relation's key can differ in
     * text, no position does.
     */
    boolean canIdentifyItem(int keyCount) {
        return isRelationKeyExact && keyCount == orderKeyIndexes.length;
    }

    /**
     * Whether the texts of a row's keys equal those of a position. The last key is compared first, because it differs
     * between most rows.
     */
    public boolean isAtPosition(StatementRow row, Position position) {
        boolean same = true;
        for (int i = orderKeyIndexes.length - 1; same && i >= 0; i--) {
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
        for (int i = exactKeyIndexes.length - 1; tied && i >= 0; i--) {
            tied = Objects.equals(keyText(row, exactKeyIndexes[i]), position.value(exactKeyIndexes[i]));
        }
        return !tied;
    }

    /** Whether a column is an order key or an additional column, which are read whatever a page contains. */
    public boolean isAlwaysRead(int column) {
        return column >= valueCount || IntStream.of(orderKeyIndexes).anyMatch(key -> key == column);
    }

    /** Returns the approximate number of bytes of the order keys of a row. */
    public int keySize(StatementRow row) {
        return IntStream.of(orderKeyIndexes).map(row::size).sum();
    }

    /** Returns the text of the order key at an index; {@code null} for a SQL NULL. */
    public @Nullable String keyText(StatementRow row, int keyIndex) {
        return row.positionText(orderKeyIndexes[keyIndex], orderKeys.get(keyIndex));
    }

    /** The additional columns of a statement, in the order in which it returns them. */
    List<AdditionalColumn> additionalColumns(PageShape shape) {
        return Stream.of(ADDITIONAL).filter(column -> has(column, shape)).toList();
    }

    /** Returns the index of an additional column in a row; -1 if the statement does not return it. */
    public int index(AdditionalColumn column, PageShape shape) {
        if (!has(column, shape)) {
            return -1;
        }
        int index = valueCount;
        for (int i = 0; i < column.ordinal(); i++) {
            index += has(ADDITIONAL[i], shape) ? 1 : 0;
        }
        return index;
    }

    private boolean has(AdditionalColumn column, PageShape shape) {
        return switch (column) {
            case MOMENT -> hasMoment;
            case PART -> shape.hasParts();
            case PRECEDES_UNTIL -> shape.until().isPresent();
            case WRITTEN -> shape.hasSince();
        };
    }

    /** Parses a value of {@link AdditionalColumn#MOMENT}. */
    public static Moment parseMoment(String text) {
        int slash = text.lastIndexOf('/');
        return new Moment(text.substring(0, slash), Long.parseLong(text.substring(slash + 1)));
    }
}

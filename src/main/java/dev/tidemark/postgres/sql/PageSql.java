package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Relation.Storage;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.paging.Direction;
import dev.tidemark.postgres.sql.GapShape.BoundGap;
import dev.tidemark.postgres.sql.PageColumns.AdditionalColumn;
import dev.tidemark.postgres.sql.RangeSql.Output;
import dev.tidemark.postgres.sql.RangeSql.Range;
import dev.tidemark.postgres.sql.RangeSql.SelectList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the page statements of one order of one feed. The near side of a gap is the side that lies in the direction
 * of reading; the far side is the opposite side.
 *
 * <p>Most pages that continue after an item are read by scans that start with this item, usually by a single scan:
 *
 * <pre>
 *   (SELECT … WHERE ("deleted_at" IS NULL)
 *      AND ("created_at", "id") &lt;= ($1, $2) ORDER BY "created_at" DESC, "id" DESC LIMIT 32)
 * </pre>
 *
 * <p>If these scans find the item, the far side of the gap is not empty. If they do not find it, or if it ties with
 * another item, the following statement reads the page. This statement also reads all other pages that continue from a
 * gap:
 *
 * <pre>
 *   (SELECT …, 1 … the nearest row on the far side …)
 *   UNION ALL
 *   (SELECT …, NULL::int … the rows on the near side, nearest first …)
 *   LIMIT 32
 * </pre>
 *
 * <p>An additional column identifies the part that a row belongs to; a row of the far side proves that this side is
 * not empty. If an order needs several scans, they are joined by UNION ALL, nearest first. Each scan has its own
 * LIMIT, and the outer LIMIT prevents the last scans from starting if the page is already full. No scan uses OR or
 * OFFSET to find its first row. If an index serves the list, a page therefore reads only a few index pages at any
 * depth.
 *
 * <p>If the statement determines the pin of a live order, a row of part {@link #PIN} has the greatest value of the
 * leading key. A page with {@code until} has an additional column that states whether a row precedes the {@code until}
 * gap. If such a page continues from a cursor, a row of part {@link #BEFORE_UNTIL} shows that rows exist before this
 * gap; an empty page needs this row, because the cursor can already have passed the gap.
 *
 * <p>If the feed has delta, the first row has only the moment of the page, in a column that is NULL in all other rows.
 * Therefore, an empty page has a moment, too. With {@code since}, the last column says whether the row was written
 * since the moment that the request specifies. If it was not, and unless the request includes such rows, PostgreSQL
 * neither fetches nor sends the columns that are not part of a key:
 *
 * <pre>
 *   (SELECT NULL::bigint, …, 'the moment' …)
 *   UNION ALL
 *   (SELECT "id", CASE WHEN written THEN "body" END, …, NULL::text, written FROM (… the rows …) …)
 * </pre>
 *
 * <p>Since PostgreSQL 17, another row tells that a scan can miss rows, because an order key contains NULL, and could
 * not when the feed was resolved. As long as it cannot, PostgreSQL plans the statement without this part:
 *
 * <pre>
 *   (SELECT NULL::bigint, … FROM … WHERE … AND "created_at" IS NULL)
 * </pre>
 *
 * <p>If the list has conditions that look for text, the near side is read by {@link RangeSql#searched}, and so is
 * the far side of a page around a gap. The part of the last row that may be looked at has {@link #SCAN_END}, and also
 * {@link #NO_ITEM} if this row does not match. All other parts are read without these conditions: a row on the far
 * side shows that rows remain to be looked at there. If an index on text finds the matching rows, {@link
 * RangeSql#matches} reads these sides instead, and a row with {@link #SCAN_END} shows that too many match.
 *
 * <p>Columns that the request does not return, and that PostgreSQL can store outside the row, are NULL.
 *
 * <p>If the feed has embeds, these parts return the columns of the relation as they are, and {@link EmbedSql} looks up
 * the embedded rows of their result. The outermost SELECT list then converts the values, and omits those of rows that
 * were not written.
 */
public final class PageSql {

    /**
     * The near side. Most rows belong to it, so the statement returns NULL for it, which is the smallest value to
     * transfer.
     */
    public static final int NEAR = 0;

    public static final int FAR = 1;
    public static final int PIN = 2;
    public static final int BEFORE_UNTIL = 3;

    /** The bits of a part that tell where the row comes from. */
    public static final int SIDE_BITS = 3;

    /** The bit of a row that is the last one that a search may look at on its side. */
    public static final int SCAN_END = 4;

    /** The bit of a row with {@link #SCAN_END} that does not match. */
    public static final int NO_ITEM = 8;

    private final Feed feed;
    private final Order order;
    private final PageColumns columns;
    private final EmbedSql embeds;

    PageSql(Feed feed, Order order, PageColumns columns) {
        this.feed = feed;
        this.order = order;
        this.columns = columns;
        this.embeds = new EmbedSql(feed);
    }

    String statement(PageShape shape) {
        RangeSql ranges = new RangeSql(feed, order, shape.list(), shape.firstConditionParameter());
        List<String> parts = new ArrayList<>();
        int limit = shape.rowLimit();
        if (feed.policy().delta().isPresent()) {
            parts.add(moment(shape));
            limit++;
        }
        if (feed.relation().storage().removesNullTests()) {
            // Do not raise the LIMIT, which would start a scan beyond the page: with such a row, the page is not used.
            columns.notNullOrderKeys().forEach(key -> parts.add(nullWhereNoneIsExpected(key, ranges, shape)));
        }
        if (shape.pin() == PinShape.DETERMINE) {
            parts.add(ranges.scanForGreatest(output(PIN, shape)));
            limit++;
        }
        if (shape.farRowLimit() > 0) {
            Direction back = shape.direction().reversed();
            Range far = new Range(output(FAR, shape), shape.boundGap(), back, shape.farRowLimit());
            if (shape.farScan() > 0) {
                search(ranges, far, shape.farScan(), shape).ifPresent(parts::add);
            } else {
                parts.add(ranges.limitedUnion(far));
            }
            limit += shape.farRowLimit();
            if (shape.until().isPresent()) {
                parts.add(ranges.limitedUnion(new Range(output(BEFORE_UNTIL, shape), shape.boundUntil(), back, 1)));
                limit++;
            }
        }
        // If the pin excludes all non-NULL values and the scroll has passed the NULLs, there are no scans of the near
        // side.
        Range near = new Range(
                output(NEAR, shape),
                shape.boundGap(),
                shape.direction(),
                shape.rowLimit(),
                shape.pin(),
                shape.pinParameter());
        if (shape.isSearch()) {
            search(ranges, near, shape.nearScan(), shape).ifPresent(parts::add);
        } else {
            parts.addAll(ranges.scans(near));
        }
        String rows = parts.size() == 1 ? parts.get(0) : String.join(" UNION ALL ", parts) + " LIMIT " + limit;
        String page = hasEmbeds() ? withEmbeds(rows, shape) : rows;
        String with = Stream.concat(since(shape).stream().map(SinceSql::withClause), ranges.with().stream())
                .collect(Collectors.joining(", "));
        return with.isEmpty() ? page : "WITH RECURSIVE " + with + ' ' + page;
    }

    private static Optional<String> search(RangeSql ranges, Range range, int maxScanned, PageShape shape) {
        return shape.isThroughTextIndex()
                ? Optional.of(ranges.matches(range, maxScanned))
                : ranges.searched(range, maxScanned);
    }

    private boolean hasEmbeds() {
        return !feed.embeds().isEmpty();
    }

    private String withEmbeds(String rows, PageShape shape) {
        return "SELECT "
                + Stream.of(
                                feed.columns().stream()
                                        .map(column -> output(column, EmbedSql.PAGE, EmbedSql.ITEM, shape)),
                                embeds
                                        .values(value -> ifWritten(value, EmbedSql.ITEM, shape), shape.omitted())
                                        .stream(),
                                columns.otherOrderKeys().stream()
                                        .map(column -> output(column, EmbedSql.PAGE, EmbedSql.ITEM, shape)),
                                columns.additionalColumns(shape).stream()
                                        .map(additional -> SqlQuoting.quoteIdentifier(
                                                        additional == AdditionalColumn.WRITTEN
                                                                ? EmbedSql.ITEM
                                                                : EmbedSql.PAGE)
                                                + '.'
                                                + additional.sqlName()))
                        .flatMap(Function.identity())
                        .collect(Collectors.joining(", "))
                + embeds.from(rows, since(shape));
    }

    private Optional<SinceSql> since(PageShape shape) {
        return shape.hasSince() ? Optional.of(new SinceSql(feed, shape.firstSinceParameter())) : Optional.empty();
    }

    private String moment(PageShape shape) {
        return "(SELECT "
                + nulls(
                        additional ->
                                additional == AdditionalColumn.MOMENT ? SinceSql.MOMENT : additional.nullLiteral(),
                        shape)
                + ')';
    }

    /** Returns a SELECT list whose columns of the relation are NULL. */
    private String nulls(Function<AdditionalColumn, String> additional, PageShape shape) {
        return selectList(
                column -> hasEmbeds() ? "NULL::" + column.sqlType() : ColumnTypes.output(column, "NULL"),
                additional,
                shape);
    }

    /**
     * Returns a part with rows of NULLs if an order key contains NULL in the list although it was NOT NULL when the
     * feed was resolved. The scans would miss such rows. PostgreSQL removes the part when it plans the statement, and
     * plans it anew when a constraint is dropped. It would not remove a LIMIT of the part. Each key has a part,
     * because no index serves an OR.
     */
    private String nullWhereNoneIsExpected(Column key, RangeSql ranges, PageShape shape) {
        String isNull = Sql.column(feed.relation().name(), key) + " IS NULL";
        return "(SELECT " + nulls(AdditionalColumn::nullLiteral, shape) + " FROM " + Sql.relation(feed.relation())
                + " WHERE " + Sql.conjunction(List.of(ranges.condition(), isNull)) + ')';
    }

    private Output output(int part, PageShape shape) {
        return new Output(
                selectListFor(part, shape),
                columns.scannedColumns(),
                since(shape).map(since -> since::writtenCondition));
    }

    private SelectList selectListFor(int part, PageShape shape) {
        return relation -> selectList(
                column -> hasEmbeds() ? Sql.column(relation, column) : output(column, relation, relation, shape),
                additional -> switch (additional) {
                    case MOMENT -> additional.nullLiteral();
                    case PART -> part(part, shape);
                    case PRECEDES_UNTIL -> precedes(relation, shape.boundUntil().orElseThrow());
                    case WRITTEN -> writtenColumn(relation);
                },
                shape);
    }

    /** Returns the expression for the part of a row. */
    private static String part(int part, PageShape shape) {
        String literal = part == NEAR ? AdditionalColumn.PART.nullLiteral() : Integer.toString(part);
        boolean isSearched = part == NEAR && shape.isSearch() || part == FAR && shape.farScan() > 0;
        if (isSearched && shape.isThroughTextIndex()) {
            return "CASE WHEN " + RangeSql.ENDS + " THEN " + (part + SCAN_END + NO_ITEM) + " ELSE " + literal + " END";
        }
        return isSearched
                ? "CASE WHEN NOT " + RangeSql.ENDS + " THEN " + literal + " WHEN " + RangeSql.MATCHES + " THEN "
                        + (part + SCAN_END) + " ELSE " + (part + SCAN_END + NO_ITEM) + " END"
                : literal;
    }

    /**
     * Returns the SELECT list with the columns of {@link PageColumns}, in the same order. If the feed has embeds, the
     * columns get the names by which {@link #withEmbeds} refers to them.
     */
    private String selectList(
            Function<Column, String> selected, Function<AdditionalColumn, String> additional, PageShape shape) {
        return Stream.concat(
                        columns.scannedColumns().stream()
                                .map(column -> selected.apply(column) + as(SqlQuoting.quoteIdentifier(column.name()))),
                        columns.additionalColumns(shape).stream()
                                .map(column -> additional.apply(column) + as(column.sqlName())))
                .collect(Collectors.joining(", "));
    }

    private String as(String name) {
        return hasEmbeds() ? " AS " + name : "";
    }

    /** @param writtenRelation the relation that has {@link SinceSql#WRITTEN} */
    private String output(Column column, String relation, String writtenRelation, PageShape shape) {
        String output = ColumnTypes.output(column, Sql.column(relation, column));
        if (isRelationOrOrderKey(column)) {
            return output;
        }
        return shape.omitted().contains(column.name())
                ? ColumnTypes.output(column, "NULL")
                : ifWritten(output, writtenRelation, shape);
    }

    private static String ifWritten(String output, String relation, PageShape shape) {
        return shape.hasSince() && !shape.includesUnwritten()
                ? "CASE WHEN " + writtenColumn(relation) + " THEN " + output + " END"
                : output;
    }

    private boolean isRelationOrOrderKey(Column column) {
        return feed.relation().key().contains(column)
                || order.keys().stream().anyMatch(key -> key.column().equals(column));
    }

    private static String writtenColumn(String relation) {
        return SqlQuoting.quoteIdentifier(relation) + '.' + SinceSql.WRITTEN;
    }

    /**
     * Returns an expression for whether a row precedes the {@code until} gap: the OR of the conditions of all scans
     * before the gap. The expression is computed only for rows that were found, and is never a search condition.
     */
    private String precedes(String relation, BoundGap until) {
        List<OrderKey> reversed = order.keys().stream().map(OrderKey::reversed).toList();
        String before = new Keyset(
                        new Comparisons(relation, Storage.LOCAL, Values.PARAMETERS),
                        reversed,
                        until,
                        0,
                        column -> false)
                .scans(until.shape().side().includesPosition(Direction.BACKWARD)).stream()
                        .map(scan -> '(' + String.join(" AND ", scan.conditions()) + ')')
                        .collect(Collectors.joining(" OR "));
        return "coalesce(" + before + ", false)";
    }
}

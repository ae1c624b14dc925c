package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.paging.Direction;
import dev.tidemark.postgres.sql.RangeSql.SelectList;
import dev.tidemark.postgres.sql.RangeSql.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements of the pages of one order of one feed. A page that goes on behind an item begins with that item, to prove that
 * the far side of its gap is not empty: {@code (SELECT … LIMIT 32)}. Where it is not there any more, and wherever a gap is no
 * item's, the page is
 *
 * <pre>
 *   (SELECT …, 1 … the nearest row on the far side …)
 *   UNION ALL
 *   (SELECT …, NULL::int … the rows on the near side, nearest first …)
 *   LIMIT 32
 * </pre>
 *
 * where each row tells of which part it is, and the row of the far side, if there is one, proves that something is there. An
 * order that takes several scans has them joined by UNION ALL, nearest first; each has its own LIMIT, and the outer LIMIT ends the
 * last ones before they begin. No OR, no offset: whatever the depth, a few index pages are read.
 *
 * <p>A scroll of a live order that begins has a row of part {@link #PIN} before all, with the greatest value of the leading key.
 * A walk that ends at a gap has one more column, {@code within}, that tells of each row whether it stands before the gap;
 * when it goes on from a cursor, a row of part {@link #BEFORE_END} proves that something stands before the gap to end at, where
 * an empty page has its place, and which the cursor may already have passed.
 */
public final class PageSql {

    /** Of the rows of the near side, which are most of all rows; NULL says it, which costs nothing on either side. */
    public static final int NEAR = 0;

    public static final int FAR = 1;
    public static final int PIN = 2;
    public static final int BEFORE_END = 3;

    private final Feed feed;
    private final Order order;
    private final ServingIndexes indexes;
    private final List<Column> selected;

    /** @param selected what the statements return of a row, in this sequence; all keys of the order are among it */
    PageSql(Feed feed, Order order, List<Column> selected, ServingIndexes indexes) {
        this.feed = feed;
        this.order = order;
        this.indexes = indexes;
        this.selected = selected;
    }

    String of(PageShape shape) {
        RangeSql ranges = new RangeSql(feed, order, indexes, shape.list(), shape.firstListParameter());
        List<String> parts = new ArrayList<>();
        int limit = shape.rows();
        if (shape.pin() == PinShape.DETERMINE) {
            parts.add(ranges.greatest(row(PIN, shape), selected));
            limit++;
        }
        if (shape.farRows() > 0) {
            Direction back = shape.direction().reversed();
            parts.add(ranges.limited(new Range(row(FAR, shape), selected, shape.boundGap(), back, shape.farRows())));
            limit += shape.farRows();
            if (shape.until().isPresent()) {
                parts.add(ranges.limited(new Range(row(BEFORE_END, shape), selected, shape.boundUntil(), back, 1)));
                limit++;
            }
        }
        // A scroll that is pinned to nothing and has left the NULLs behind it has no near side.
        parts.addAll(ranges.scans(new Range(
                row(NEAR, shape),
                selected,
                shape.boundGap(),
                shape.direction(),
                shape.rows(),
                shape.pin(),
                shape.pinParameter())));
        return parts.size() == 1 ? parts.get(0) : String.join(" UNION ALL ", parts) + " LIMIT " + limit;
    }

    private SelectList row(int part, PageShape shape) {
        return relation -> selected.stream()
                        .map(column -> ColumnTypes.output(column, Sql.column(relation, column)))
                        .collect(Collectors.joining(", "))
                + (shape.hasParts() ? ", " + partLiteral(part) : "")
                + shape.boundUntil().map(gap -> ", " + isBefore(relation, gap)).orElse("");
    }

    private static String partLiteral(int part) {
        return part == NEAR ? "NULL::int" : Integer.toString(part);
    }

    /** Whether a row lies before the gap, as the OR of the ranges before it: told of the page's rows, not searched by. */
    private String isBefore(String relation, BoundGap until) {
        List<OrderKey> reversed = order.keys().stream().map(OrderKey::reversed).toList();
        String before = new Keyset(relation, reversed, until, 0)
                .beyond(until.shape().includesPosition(Direction.BACKWARD)).stream()
                        .map(scan -> '(' + String.join(" AND ", scan.conditions()) + ')')
                        .collect(Collectors.joining(" OR "));
        return "coalesce(" + before + ", false)";
    }
}

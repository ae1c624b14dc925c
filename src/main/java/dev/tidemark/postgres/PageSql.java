package dev.tidemark.postgres;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.postgres.ConditionShape.Test;
import dev.tidemark.postgres.Keyset.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The keyset statements of one order of one feed. A page behind a gap, of the order {@code created_at desc, id desc} under
 * {@code status=open}, is
 *
 * <pre>
 *   SELECT page.near, page."id", page."created_at", … FROM (
 *     (SELECT false AS near, … WHERE … AND ("created_at", "id") &gt;= ($1, $2) ORDER BY "created_at", "id" LIMIT 1)
 *     UNION ALL
 *     (SELECT true AS near, … WHERE "deleted_at" IS NULL AND "status" = $3
 *       AND ("created_at", "id") &lt; ($1, $2) ORDER BY "created_at" DESC, "id" DESC LIMIT 31)
 *     LIMIT 32) page
 * </pre>
 *
 * where the first row, if it has {@code near} false, proves that the far side of the gap is not empty. An order that takes
 * several scans has them joined by UNION ALL, nearest first; each has its own LIMIT, and the outer LIMIT ends the last
 * ones before they begin. No OR, no offset: whatever the depth, a few index pages are read.
 */
final class PageSql {

    private final Feed feed;
    private final Order order;
    private final ServingIndexes indexes;
    private final String relation;
    private final List<Column> selected;

    /** @param selected what the statements return of a row, in this sequence; all keys of the order are among it */
    PageSql(Feed feed, Order order, List<Column> selected, ServingIndexes indexes) {
        this.feed = feed;
        this.order = order;
        this.indexes = indexes;
        this.relation = feed.relation().name();
        this.selected = selected;
    }

    /** Whether an index serves the whole list, so that the statement must be read through it. */
    boolean isIndexed(PageShape shape) {
        return indexes.serve(feed.name(), order, shape.conditions());
    }

    String of(PageShape shape) {
        String near = rows(true, shape, shape.side().orElse(null), shape.direction(), shape.rows());
        String rows = shape.side()
                .map(side -> rows(false, shape, side, shape.direction().reversed(), 1) + " UNION ALL " + near
                        + " LIMIT " + (shape.rows() + 1))
                .orElse(near);
        return "SELECT page.near, "
                + selected.stream()
                        .map(column -> ColumnTypes.output(column, "page." + Sql.quoted(column.name())))
                        .collect(Collectors.joining(", "))
                + " FROM (" + rows + ") page";
    }

    /** The rows on one side of the gap, nearest first; {@code limit} in all for the far side, and for each scan else. */
    private String rows(boolean near, PageShape shape, Gap.Side side, Direction direction, int limit) {
        List<OrderKey> keys = direction == Direction.FORWARD
                ? order.keys()
                : order.keys().stream().map(OrderKey::reversed).toList();
        List<Scan> scans = side == null
                ? List.of(new Scan(List.of(), keys))
                : new Keyset(relation, keys)
                        .beyond(shape::isNull, (side == Gap.Side.BEFORE) == (direction == Direction.FORWARD));
        String joined = scans.stream()
                .map(scan -> '(' + merged(near, shape, keys, scan, limit) + ')')
                .collect(Collectors.joining(" UNION ALL "));
        return near || scans.size() == 1 ? joined : "(SELECT * FROM (" + joined + ") far LIMIT 1)";
    }

    /** Any of several values is a limited scan for each, merged, where an index begins with the filter's column. */
    private String merged(boolean near, PageShape shape, List<OrderKey> keys, Scan scan, int limit) {
        Optional<ConditionShape> split = isIndexed(shape)
                ? shape.conditions().stream()
                        .filter(ConditionShape::isAnyOfSeveral)
                        .findFirst()
                : Optional.empty();
        if (split.isEmpty()) {
            return scan(near, shape, keys, scan, limit, null, 0);
        }
        List<String> scans = new ArrayList<>();
        for (int value = 0; value < split.get().values(); value++) {
            scans.add('(' + scan(near, shape, keys, scan, limit, split.get(), value) + ')');
        }
        return "SELECT * FROM (" + String.join(" UNION ALL ", scans) + ") merged" + Sql.orderBy("merged", scan.sorted())
                + " LIMIT " + limit;
    }

    private String scan(
            boolean near, PageShape shape, List<OrderKey> keys, Scan scan, int limit, ConditionShape split, int value) {
        List<String> conditions = new ArrayList<>();
        feed.relation().visible().map(Sql::parenthesized).ifPresent(conditions::add);
        int parameter = 1 + positionParameters(shape);
        for (ConditionShape condition : shape.conditions()) {
            boolean isSplit = condition.equals(split);
            ConditionShape asked = isSplit ? new ConditionShape(condition.column(), Test.EQUAL, 1) : condition;
            int number = isSplit ? parameter + value : parameter;
            conditions.add(
                    asked.test() == Test.EQUAL && isIndexed(shape)
                            ? narrowed(asked, number)
                            : asked.sql(relation, number));
            parameter += condition.values();
        }
        conditions.addAll(scan.conditions());
        return "SELECT " + near + " AS near, " + columns()
                + " FROM " + Sql.relation(feed.relation())
                + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
                + Sql.orderBy(relation, led(shape, keys))
                + " LIMIT " + limit;
    }

    private int positionParameters(PageShape shape) {
        return shape.side().isEmpty() ? 0 : order.keys().size() - Long.bitCount(shape.nulls());
    }

    /**
     * Under a generic plan PostgreSQL takes an unknown value for a common one, and reads along the plain order's index to
     * filter it: for a rare value, all of it. The bounds say nothing new, and the index's scan drops them; but a range
     * between unknown bounds is taken for a narrow one (0.5 %), so the plan is made with the index that begins with the
     * column, which is the right one for rare and common values alike.
     */
    private String narrowed(ConditionShape condition, int parameter) {
        String column = Sql.column(relation, condition.column());
        String value = Sql.parameter(parameter, condition.column());
        return condition.sql(relation, parameter) + " AND " + column + " >= " + value + " AND " + column + " <= "
                + value;
    }

    /**
     * To the planner IS NULL is no equality, so an index on the NULL column and the order gives no order unless the column
     * is sorted by first, which changes nothing among NULLs.
     */
    private List<OrderKey> led(PageShape shape, List<OrderKey> keys) {
        Optional<OrderKey> leading = shape.conditions().stream()
                .filter(condition -> condition.test() == Test.NULL)
                .findFirst()
                .flatMap(condition -> indexes.leading(feed.name(), order, condition.column()));
        if (leading.isEmpty() || !isIndexed(shape)) {
            return keys;
        }
        List<OrderKey> led = new ArrayList<>();
        led.add(keys.equals(order.keys()) ? leading.get() : leading.get().reversed());
        led.addAll(keys);
        return led;
    }

    private String columns() {
        return selected.stream().map(column -> Sql.column(relation, column)).collect(Collectors.joining(", "));
    }
}

package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.OrderKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The rows beyond a position, as index range scans that follow one another.
 *
 * <p>One row comparison, {@code (a, b, id) < ($1, $2, $3)}, is exact and one range of the index where all keys run in one
 * direction and only the first may be NULL. Any order is cut into such runs. The rows beyond a position are then, nearest
 * first: those equal in all runs but the last and beyond in the last; those equal in all but the last two and beyond in
 * the last but one; and so on; each followed by the NULLs of the run's first key where they stand behind its values. For
 * {@code a desc nulls last, b, id desc} after {@code ($1, $2, $3)}:
 *
 * <pre>
 *   a = $1 AND b = $2 AND id &lt; $3
 *   a = $1 AND b &gt; $2
 *   a &lt; $1
 *   a IS NULL
 * </pre>
 *
 * <p>A single statement with these under OR would read the index from its start; see Markus Winand, "We need tool support
 * for keyset pagination", for the row comparison, and the PostgreSQL manual, "Row and Array Comparisons", for its meaning.
 */
final class Keyset {

    private final String relation;
    private final List<OrderKey> keys;
    private final GapShape gap;
    private final int firstParameter;
    private final int fixed;

    /**
     * @param keys in the direction of the walk
     * @param fixed how many leading keys have one value in all rows of the list
     */
    Keyset(String relation, List<OrderKey> keys, BoundGap gap, int fixed) {
        this.relation = relation;
        this.keys = keys;
        this.gap = gap.shape();
        this.firstParameter = gap.firstParameter();
        this.fixed = Math.min(fixed, gap.shape().size() - 1);
    }

    /**
     * One range of an index.
     *
     * @param conditions joined by AND
     * @param sorted the keys that still differ inside the range: those that no equality pins
     * @param spansLeadingValues whether it goes through different values of the order's leading key
     */
    record Scan(List<String> conditions, List<OrderKey> sorted, boolean spansLeadingValues) {}

    /** @param inclusive whether the row at the position is among the rows */
    List<Scan> beyond(boolean inclusive) {
        List<Integer> starts = runStarts();
        List<Scan> scans = new ArrayList<>();
        // Beyond a key of one value only there is nothing, and a range over it would hide the range behind it.
        for (int run = starts.size() - 1; run >= 0 && starts.get(run) >= fixed; run--) {
            int start = starts.get(run);
            boolean last = run == starts.size() - 1;
            int end = last ? gap.size() : starts.get(run + 1);
            beyond(start, end, inclusive && last, scans);
        }
        return scans;
    }

    private void beyond(int start, int end, boolean inclusive, List<Scan> scans) {
        OrderKey first = keys.get(start);
        String column = Sql.column(relation, first.column());
        if (!gap.isNull(start)) {
            scans.add(scan(start, comparison(start, end, inclusive), true));
            if (first.column().nullable() && !first.nullsFirst()) {
                scans.add(scan(start, column + " IS NULL", false));
            }
            return;
        }
        if (start + 1 < end) {
            scans.add(scan(start, column + " IS NULL AND " + comparison(start + 1, end, inclusive), false));
        } else if (inclusive) {
            scans.add(scan(start, column + " IS NULL", false));
        }
        if (first.nullsFirst()) {
            scans.add(scan(start, column + " IS NOT NULL", true));
        }
    }

    /** A run begins where the direction turns, and at every key that may be NULL or once was. */
    private List<Integer> runStarts() {
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < gap.size(); i++) {
            if (i <= fixed
                    || keys.get(i).descending() != keys.get(i - 1).descending()
                    || keys.get(i).column().nullable()
                    || gap.isNull(i)) {
                starts.add(i);
            }
        }
        return starts;
    }

    private Scan scan(int start, String condition, boolean values) {
        List<String> conditions = new ArrayList<>();
        List<OrderKey> sorted = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Column column = keys.get(i).column();
            if (i >= start) {
                sorted.add(keys.get(i));
            } else if (gap.isNull(i)) {
                // To the planner, IS NULL is no equality: it still sees the key as one to sort by.
                conditions.add(Sql.column(relation, column) + " IS NULL");
                sorted.add(keys.get(i));
            } else {
                conditions.add(Sql.operand(relation, column) + " = " + parameter(i));
            }
        }
        conditions.add(condition);
        return new Scan(conditions, sorted, values && start == 0);
    }

    private String comparison(int start, int end, boolean inclusive) {
        List<Integer> run = new ArrayList<>();
        for (int i = start; i < end; i++) {
            run.add(i);
        }
        String operator = (keys.get(start).descending() ? " <" : " >") + (inclusive ? "= " : " ");
        String columns = run.stream()
                .map(i -> Sql.operand(relation, keys.get(i).column()))
                .collect(Collectors.joining(", "));
        String values = run.stream().map(i -> parameter(i)).collect(Collectors.joining(", "));
        return run.size() == 1 ? columns + operator + values : '(' + columns + ')' + operator + '(' + values + ')';
    }

    private String parameter(int key) {
        int number = firstParameter;
        for (int i = 0; i < key; i++) {
            if (!gap.isNull(i)) {
                number++;
            }
        }
        return Sql.parameter(number, keys.get(key).column());
    }
}

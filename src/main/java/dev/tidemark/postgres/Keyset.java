package dev.tidemark.postgres;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.OrderKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
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

    /** @param keys in the direction of the walk */
    Keyset(String relation, List<OrderKey> keys) {
        this.relation = relation;
        this.keys = keys;
    }

    /**
     * One range of an index.
     *
     * @param conditions joined by AND
     * @param sorted the keys that still differ inside the range: those that no equality pins
     */
    record Scan(List<String> conditions, List<OrderKey> sorted) {}

    /**
     * @param nulls which values of the position are NULL; the others are the parameters from {@code $1} on, in sequence
     * @param inclusive whether the row at the position is among the rows
     */
    List<Scan> beyond(IntPredicate nulls, boolean inclusive) {
        List<Integer> starts = runStarts(nulls);
        List<Scan> scans = new ArrayList<>();
        for (int run = starts.size() - 1; run >= 0; run--) {
            int start = starts.get(run);
            boolean last = run == starts.size() - 1;
            int end = last ? keys.size() : starts.get(run + 1);
            beyond(start, end, nulls, inclusive && last, scans);
        }
        return scans;
    }

    private void beyond(int start, int end, IntPredicate nulls, boolean inclusive, List<Scan> scans) {
        OrderKey first = keys.get(start);
        String column = Sql.column(relation, first.column());
        if (!nulls.test(start)) {
            scans.add(scan(start, nulls, comparison(start, end, nulls, inclusive)));
            if (first.column().nullable() && !first.nullsFirst()) {
                scans.add(scan(start, nulls, column + " IS NULL"));
            }
            return;
        }
        if (start + 1 < end) {
            scans.add(scan(start, nulls, column + " IS NULL AND " + comparison(start + 1, end, nulls, inclusive)));
        } else if (inclusive) {
            scans.add(scan(start, nulls, column + " IS NULL"));
        }
        if (first.nullsFirst()) {
            scans.add(scan(start, nulls, column + " IS NOT NULL"));
        }
    }

    /** A run begins where the direction turns, and at every key that may be NULL or once was. */
    private List<Integer> runStarts(IntPredicate nulls) {
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (i == 0
                    || keys.get(i).descending() != keys.get(i - 1).descending()
                    || keys.get(i).column().nullable()
                    || nulls.test(i)) {
                starts.add(i);
            }
        }
        return starts;
    }

    private Scan scan(int start, IntPredicate nulls, String condition) {
        List<String> conditions = new ArrayList<>();
        List<OrderKey> sorted = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Column column = keys.get(i).column();
            if (i >= start) {
                sorted.add(keys.get(i));
            } else if (nulls.test(i)) {
                // To the planner, IS NULL is no equality: it still sees the key as one to sort by.
                conditions.add(Sql.column(relation, column) + " IS NULL");
                sorted.add(keys.get(i));
            } else {
                conditions.add(Sql.column(relation, column) + " = " + parameter(i, nulls));
            }
        }
        conditions.add(condition);
        return new Scan(conditions, sorted);
    }

    private String comparison(int start, int end, IntPredicate nulls, boolean inclusive) {
        List<Integer> run = new ArrayList<>();
        for (int i = start; i < end; i++) {
            run.add(i);
        }
        String operator = (keys.get(start).descending() ? " <" : " >") + (inclusive ? "= " : " ");
        String columns = run.stream()
                .map(i -> Sql.column(relation, keys.get(i).column()))
                .collect(Collectors.joining(", "));
        String values = run.stream().map(i -> parameter(i, nulls)).collect(Collectors.joining(", "));
        return run.size() == 1 ? columns + operator + values : '(' + columns + ')' + operator + '(' + values + ')';
    }

    private String parameter(int key, IntPredicate nulls) {
        int number = 1;
        for (int i = 0; i < key; i++) {
            if (!nulls.test(i)) {
                number++;
            }
        }
        return Sql.parameter(number, keys.get(key).column());
    }
}

package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.postgres.sql.GapShape.BoundGap;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Builds the scans that together return the rows beyond a position, nearest first.
 *
 * <p>A row comparison, {@code (a, b, id) < ($1, $2, $3)}, selects a single index range if all its keys have the same
 * direction and only the first can be NULL. The keys of an order are therefore split into runs for which this holds.
 * The first scan returns the rows that equal the position in all runs but the last, and lie beyond the position in the
 * last run. The second scan returns the rows that equal the position in all runs but the last two, and lie beyond it
 * in the second to last run, and so on. If the first key of a run can be NULL, another scan can follow the scan of
 * that run. If NULLs sort last and the position's value is not NULL, this scan returns the NULLs; if NULLs sort first
 * and the position's value is NULL, it returns the other values. For {@code a desc nulls last, b, id desc} after
 * {@code ($1, $2, $3)}:
 *
 * <pre>
 *   a = $1 AND b = $2 AND id &lt; $3
 *   a = $1 AND b &gt; $2
 *   a &lt; $1
 *   a IS NULL
 * </pre>
 *
 * <p>A single scan that combines these conditions with OR would read the index from its start. See Markus Winand, "We
 * need tool support for keyset pagination", and the PostgreSQL manual, "Row and Array Comparisons".
 */
final class Keyset {

    private final Comparisons comparisons;
    private final String relation;
    private final List<OrderKey> keys;
    private final GapShape gapShape;
    private final int firstParameter;
    private final int fixedKeyCount;
    private final Predicate<Column> canHaveEquality;

    /**
     * @param keys the order's keys, reversed if the scans read backward
     * @param fixedKeyCount the number of leading keys that have a single value in the whole list
     * @param canHaveEquality whether the statement can have another condition that tests a column for equality
     */
    Keyset(
            Comparisons comparisons,
            List<OrderKey> keys,
            BoundGap gap,
            int fixedKeyCount,
            Predicate<Column> canHaveEquality) {
        this.comparisons = comparisons;
        this.relation = comparisons.relation();
        this.keys = keys;
        gapShape = gap.shape();
        this.firstParameter = gap.firstParameter();
        this.fixedKeyCount = Math.min(fixedKeyCount, gap.shape().size() - 1);
        this.canHaveEquality = canHaveEquality;
    }

    /**
     * A scan of one index range.
     *
     * @param conditions the conditions of the range, which are joined by AND
     * @param outerSortKeys the keys by which the rows are sorted if the scan reads from a subquery: all keys
     *     except those that the conditions of the range restrict to one value
     * @param spansLeadingValues whether the rows can have different non-NULL values of the order's leading key
     */
    record Scan(List<String> conditions, List<OrderKey> outerSortKeys, boolean spansLeadingValues) {

        /** Returns the scan of those rows that also meet other conditions. */
        Scan and(List<String> more) {
            return new Scan(
                    Stream.concat(conditions.stream(), more.stream()).toList(), outerSortKeys, spansLeadingValues);
        }
    }

    /** @param inclusive whether the scans include the row at the position */
    List<Scan> scans(boolean inclusive) {
        List<Integer> starts = runStarts();
        List<Scan> scans = new ArrayList<>();
        // No row lies beyond the position in a key that has a single value in the whole list, so a fixed key needs no
        // scan.
        for (int run = starts.size() - 1; run >= 0 && starts.get(run) >= fixedKeyCount; run--) {
            int start = starts.get(run);
            boolean last = run == starts.size() - 1;
            int end = last ? gapShape.size() : starts.get(run + 1);
            addScans(start, end, inclusive && last, scans);
        }
        return scans;
    }

    private void addScans(int start, int end, boolean inclusive, List<Scan> scans) {
        OrderKey first = keys.get(start);
        String isNull = Sql.column(relation, first.column()) + " IS NULL";
        if (!gapShape.isNull(start)) {
            scans.add(scan(start, comparison(start, end, inclusive), true));
            if (first.column().nullable() && !first.nullsFirst()) {
                scans.add(scan(start, List.of(isNull), false));
            }
            return;
        }
        if (start + 1 < end) {
            scans.add(scan(start, comparison(start + 1, end, inclusive), false).and(List.of(isNull)));
        } else if (inclusive) {
            scans.add(scan(start, List.of(isNull), false));
        }
        if (first.nullsFirst()) {
            scans.add(scan(start, List.of(Sql.isNotNull(relation, first.column())), true));
        }
    }

    /**
     * A run starts at each fixed key, at the first key after the fixed keys, at each key whose direction differs from
     * that of the previous key, at each key that can be NULL or is NULL in the position, and after each key that can
     * have another condition of equality. If a row comparison started with a fixed key, the scan would read all rows
     * with the value of this key, because PostgreSQL would bound the scan by this value instead of by the row
     * comparison. If one started with any key that is tested for equality, PostgreSQL 17 (seen in 17.9, but not in
     * 16.15 or 18.6) could return wrong rows: with an index on {@code (a, b, id)},
     * {@code a = 1 AND b = 3 AND (a, id) > (1, 7)} lacks rows, and {@code a IN (1, 2) AND b = 3 AND (a, id) > (2, 7)}
     * returns rows with other values of {@code b}.
     */
    private List<Integer> runStarts() {
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < gapShape.size(); i++) {
            if (i <= fixedKeyCount
                    || keys.get(i).descending() != keys.get(i - 1).descending()
                    || keys.get(i).column().nullable()
                    || gapShape.isNull(i)
                    || canHaveEquality.test(keys.get(i - 1).column())) {
                starts.add(i);
            }
        }
        return starts;
    }

    private Scan scan(int start, List<String> rangeConditions, boolean hasNonNullValues) {
        List<String> conditions = new ArrayList<>();
        List<OrderKey> outerSortKeys = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Column column = keys.get(i).column();
            if (i >= start) {
                outerSortKeys.add(keys.get(i));
            } else if (gapShape.isNull(i)) {
                // The planner does not treat IS NULL as an equality, so the key stays in ORDER BY.
                conditions.add(Sql.column(relation, column) + " IS NULL");
                outerSortKeys.add(keys.get(i));
            } else {
                conditions.add(comparisons.compare(column, "=", parameterNumber(i)));
            }
        }
        conditions.addAll(rangeConditions);
        return new Scan(conditions, outerSortKeys, hasNonNullValues && start == 0);
    }

    /** The conditions that the keys from a start to an end are beyond the position. */
    private List<String> comparison(int start, int end, boolean inclusive) {
        Column first = keys.get(start).column();
        String operator = keys.get(start).descending() ? "<" : ">";
        List<String> conditions = new ArrayList<>();
        if (end - start == 1) {
            conditions.add(comparisons.compare(first, operator + (inclusive ? "=" : ""), parameterNumber(start)));
        } else {
            conditions.add(rowComparison(start, end, operator + (inclusive ? "=" : "")));
            if (comparisons.rowComparisonsNeedBounds()) {
                conditions.add(comparisons.compare(first, operator + '=', parameterNumber(start)));
            }
        }
        comparisons.isNotNull(first).ifPresent(conditions::add);
        return conditions;
    }

    private String rowComparison(int start, int end, String operator) {
        String columns = IntStream.range(start, end)
                .mapToObj(i -> Sql.operand(relation, keys.get(i).column()))
                .collect(Collectors.joining(", "));
        String values = IntStream.range(start, end)
                .mapToObj(i ->
                        comparisons.values().of(parameterNumber(i), keys.get(i).column()))
                .collect(Collectors.joining(", "));
        return '(' + columns + ") " + operator + " (" + values + ')';
    }

    /** The number of a key's parameter. */
    private int parameterNumber(int key) {
        int number = firstParameter;
        for (int i = 0; i < key; i++) {
            if (!gapShape.isNull(i)) {
                number++;
            }
        }
        return number;
    }
}

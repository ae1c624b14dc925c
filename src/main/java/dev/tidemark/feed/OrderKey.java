package dev.tidemark.feed;

/**
 * One key of an order.
 *
 * @param nullsFirst where NULLs stand; of a column that has none this is PostgreSQL's default for the direction, so
 *     that the SQL needs no NULLS clause and matches the plainest index
 */
public record OrderKey(Column column, boolean descending, boolean nullsFirst) {

    public OrderKey {
        if (!column.nullable()) {
            nullsFirst = descending;
        }
    }

    /** The same key for someone who walks the list from its end. */
    public OrderKey reversed() {
        return new OrderKey(column, !descending, !nullsFirst);
    }
}

package dev.tidemark.feed;

/**
 * One key of an order.
 *
 * @param nullsFirst whether NULLs sort first. For a NOT NULL column, the constructor sets this to PostgreSQL's default
 *     for the direction, so that the SQL needs no NULLS clause and can use an index without one
 */
public record OrderKey(Column column, boolean descending, boolean nullsFirst) {

    public OrderKey {
        if (!column.nullable()) {
            nullsFirst = descending;
        }
    }

    /** Returns the key that sorts in the opposite direction. */
    public OrderKey reversed() {
        return new OrderKey(column, !descending, !nullsFirst);
    }
}

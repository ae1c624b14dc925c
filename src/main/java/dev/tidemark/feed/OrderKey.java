package dev.tidemark.feed;

/**
 * One key of an order.
 *
 * @param declaredNullsFirst whether NULLs sort first, if the column can contain NULL
 */
public record OrderKey(Column column, boolean descending, boolean declaredNullsFirst) {

    /**
     * Whether NULLs sort first. For a NOT NULL column, this is PostgreSQL's default for the direction, so that the SQL
     * needs no NULLS clause and can use an index without one.
     */
    public boolean nullsFirst() {
        return column.nullable() ? declaredNullsFirst : descending;
    }

    /** Returns the key with the declaration that says what applies anyway. Such keys are equal if they sort alike. */
    public OrderKey inEffect() {
        return new OrderKey(column, descending, nullsFirst());
    }

    /** Returns the key that sorts in the opposite direction. */
    public OrderKey reversed() {
        return new OrderKey(column, !descending, !declaredNullsFirst);
    }
}

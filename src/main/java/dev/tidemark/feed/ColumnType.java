package dev.tidemark.feed;

import java.util.List;

/**
 * What Tidemark knows of a column's type: how a value is shown, whether a client may send one, and whether it can stand
 * in a position. Domains are resolved to the type under them.
 */
public sealed interface ColumnType {

    /** A type that is one of PostgreSQL's own scalars, or is treated as one. */
    enum Scalar implements ColumnType {
        SMALLINT,
        INTEGER,
        BIGINT,
        NUMERIC,
        REAL,
        DOUBLE,
        BOOLEAN,
        /** {@code text}, {@code varchar}, {@code char(n)}, {@code name} and {@code citext}. */
        TEXT,
        UUID,
        DATE,
        TIME,
        TIMESTAMP,
        TIMESTAMPTZ,
        /** {@code json} and {@code jsonb}: data only. */
        JSON,
        /** Data only. */
        BYTEA,
        /** Not understood: shown in PostgreSQL's text form, data only. */
        OTHER
    }

    /** An enum with its labels, in the enum's own order. */
    record Enumerated(List<String> labels) implements ColumnType {
        public Enumerated {
            labels = List.copyOf(labels);
        }
    }

    /** An array of any number of dimensions: data only. */
    record ArrayOf(ColumnType element) implements ColumnType {}

    /** Whether values compare in a way that a position can hold and a filter can ask for. */
    default boolean isComparable() {
        return this instanceof Enumerated
                || this instanceof Scalar scalar
                        && scalar != Scalar.JSON
                        && scalar != Scalar.BYTEA
                        && scalar != Scalar.OTHER;
    }
}

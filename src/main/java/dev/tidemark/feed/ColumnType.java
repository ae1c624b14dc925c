package dev.tidemark.feed;

import java.util.List;

/**
 * The type of a column. It determines how values are written as JSON, whether a filter can use the column, and whether
 * the column can be a sort key. Domains are resolved to their base types.
 */
public sealed interface ColumnType {

    /** A scalar type. */
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
        /** {@code json} and {@code jsonb}. Output only. */
        JSON,
        /** Output only. */
        BYTEA,
        /** Any other type. Output only, in PostgreSQL's text format. */
        OTHER
    }

    /** An enum with its labels in sort order. */
    record EnumType(List<String> labels) implements ColumnType {
        public EnumType {
            labels = List.copyOf(labels);
        }
    }

    /**
     * An array. Output only.
     *
     * @param dimensions the declared number of dimensions, at least 1. PostgreSQL does not enforce it: values can have
     *     any number of dimensions
     */
    record ArrayType(ColumnType element, int dimensions) implements ColumnType {}

    /** A time, stored as the whole number of units since 1970-01-01T00:00:00Z. Clients see a {@code timestamptz}. */
    record EpochType(Unit unit) implements ColumnType {

        /** A unit of time. */
        public enum Unit {
            /** Seconds. */
            S(1_000_000),
            /** Milliseconds. */
            MS(1_000),
            /** Microseconds. */
            US(1);

            private final int micros;

            Unit(int micros) {
                this.micros = micros;
            }

            /** The number of microseconds in this unit. */
            public int micros() {
                return micros;
            }
        }
    }

    /** Whether a column of this type can be a sort key or a filter. */
    default boolean isComparable() {
        return this instanceof EnumType
                || this instanceof EpochType
                || this instanceof Scalar scalar
                        && scalar != Scalar.JSON
                        && scalar != Scalar.BYTEA
                        && scalar != Scalar.OTHER;
    }
}

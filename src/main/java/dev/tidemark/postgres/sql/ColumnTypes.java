package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.EnumType;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.ColumnType.Scalar;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Maps PostgreSQL types to {@link ColumnType} and chooses the form in which statements return their values. */
public final class ColumnTypes {

    private static final Map<String, Scalar> SCALARS = Map.ofEntries(
            Map.entry("int2", Scalar.SMALLINT),
            Map.entry("int4", Scalar.INTEGER),
            Map.entry("int8", Scalar.BIGINT),
            Map.entry("numeric", Scalar.NUMERIC),
            Map.entry("float4", Scalar.REAL),
            Map.entry("float8", Scalar.DOUBLE),
            Map.entry("bool", Scalar.BOOLEAN),
            Map.entry("text", Scalar.TEXT),
            Map.entry("varchar", Scalar.TEXT),
            Map.entry("bpchar", Scalar.TEXT),
            Map.entry("name", Scalar.TEXT),
            Map.entry("uuid", Scalar.UUID),
            Map.entry("date", Scalar.DATE),
            Map.entry("time", Scalar.TIME),
            Map.entry("timestamp", Scalar.TIMESTAMP),
            Map.entry("timestamptz", Scalar.TIMESTAMPTZ),
            Map.entry("json", Scalar.JSON),
            Map.entry("jsonb", Scalar.JSON),
            Map.entry("bytea", Scalar.BYTEA));

    /**
     * Types whose values are returned in a binary format that differs from their text. The values of all other types
     * are returned as text.
     */
    private static final Set<Scalar> BINARY = Set.of(
            Scalar.SMALLINT,
            Scalar.INTEGER,
            Scalar.BIGINT,
            Scalar.REAL,
            Scalar.DOUBLE,
            Scalar.BOOLEAN,
            Scalar.UUID,
            Scalar.DATE,
            Scalar.TIMESTAMP,
            Scalar.TIMESTAMPTZ,
            Scalar.BYTEA);

    /** Types whose text input does not depend on settings. */
    private static final Set<ColumnType> IMMUTABLE_INPUT = Set.of(
            Scalar.SMALLINT,
            Scalar.INTEGER,
            Scalar.BIGINT,
            Scalar.NUMERIC,
            Scalar.REAL,
            Scalar.DOUBLE,
            Scalar.BOOLEAN,
            Scalar.TEXT,
            Scalar.UUID);

    /** SQL types that are not cast to text, because their binary format is the text. */
    private static final Set<String> TEXT_TYPES = Set.of("text", "character varying", "bpchar");

    private ColumnTypes() {}

    /**
     * The output expression for a column, cast to the type that the column had when the feed was resolved. The cast is
     * free while the type is unchanged. If the type changes while Tidemark is running, the values still arrive in the
     * old type, or the statement fails.
     *
     * <p>User-defined types, such as enums, are cast to text, because recreating such a type under the same name
     * changes its OID, and a prepared statement that returned the old OID would fail until its connection is closed.
     *
     * @param name the name by which the statement refers to the column
     */
    static String output(Column column, String name) {
        String typed = name + "::" + column.sqlType();
        boolean isReturnedAsIs = column.type() instanceof Scalar scalar && BINARY.contains(scalar)
                || column.type() instanceof EpochType
                || TEXT_TYPES.contains(column.sqlType());
        return isReturnedAsIs ? typed : typed + "::text";
    }

    /**
     * Whether the text of a parameter is converted to the type when a statement is planned rather than when it is
     * executed.
     */
    public static boolean isConvertedByPlanner(ColumnType type) {
        return IMMUTABLE_INPUT.contains(type) || type instanceof EpochType;
    }

    /**
     * Returns the column type for a type of PostgreSQL.
     *
     * @param name the name of the base type under all domains, or of an array's element type
     * @param isSystemType whether the type is in {@code pg_catalog}
     * @param isOnSearchPath whether the type's schema is on the search path; otherwise, PostgreSQL does not find the
     *     operators of an extension's type
     * @param labels the labels of an enum; empty for other types
     */
    public static ColumnType of(
            String name, boolean isSystemType, boolean isOnSearchPath, Optional<List<String>> labels) {
        if (labels.isPresent()) {
            return new EnumType(labels.get());
        } else if (isSystemType) {
            return SCALARS.getOrDefault(name, Scalar.OTHER);
        }
        return isOnSearchPath && name.equals("citext") ? Scalar.TEXT : Scalar.OTHER;
    }
}

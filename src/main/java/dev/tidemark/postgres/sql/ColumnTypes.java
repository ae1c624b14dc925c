package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.EnumType;
import dev.tidemark.feed.ColumnType.Scalar;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Maps PostgreSQL types to {@link ColumnType} and chooses the form in which a statement returns them. */
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

    /** Types read in binary format. All others are cast to text and passed on unparsed. */
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

    private static final Set<String> BINARY_TEXT = Set.of("text", "character varying", "bpchar");

    private ColumnTypes() {}

    /**
     * The output expression for a column, cast to the type that the column had when the feed was resolved. The cast is
     * free while the type is unchanged. If the type changes while the server is running, the values still arrive in the
     * old type, or the statement fails.
     *
     * <p>User-defined types, such as enums, are cast to text. Recreating such a type under the same name changes its
     * OID, and a prepared statement that returns the old OID fails until its connection is closed.
     *
     * @param name the column as the statement refers to it
     */
    static String output(Column column, String name) {
        String typed = name + "::" + column.sqlType();
        boolean isDecoded = column.type() instanceof Scalar scalar && BINARY.contains(scalar)
                || BINARY_TEXT.contains(column.sqlType());
        return isDecoded ? typed : typed + "::text";
    }

    /**
     * Whether a parameter's text is converted to the type when the statement is planned, instead of when it is
     * executed.
     */
    public static boolean isComputedByPlanner(ColumnType type) {
        return IMMUTABLE_INPUT.contains(type);
    }

    /**
     * @param name the name of the base type under all domains, or of an array's element type
     * @param system whether the type is in {@code pg_catalog}
     * @param visible whether the type is on the search path, where the operators of an extension's type must be found
     * @param labels the labels of an enum; empty for other types
     */
    public static ColumnType of(String name, boolean system, boolean visible, Optional<List<String>> labels) {
        if (labels.isPresent()) {
            return new EnumType(labels.get());
        } else if (system) {
            return SCALARS.getOrDefault(name, Scalar.OTHER);
        }
        return visible && name.equals("citext") ? Scalar.TEXT : Scalar.OTHER;
    }
}

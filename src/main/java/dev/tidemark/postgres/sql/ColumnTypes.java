package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.Enumerated;
import dev.tidemark.feed.ColumnType.Scalar;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** PostgreSQL's types as Tidemark understands them. */
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

    /** These come in their binary form; all others are asked for as text, which nobody has to understand. */
    private static final Set<Scalar> DECODED = Set.of(
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

    private static final Set<String> DECODED_TEXT = Set.of("text", "character varying", "bpchar");

    private ColumnTypes() {}

    /**
     * What a statement returns of a column. Each is named as what it was when it was resolved, which costs nothing while it is
     * that. When it is changed under the running server, its values still come as that, or not at all. None comes as a type
     * that is not PostgreSQL's own, such as an enum: made anew under its name it is another one, and a prepared statement
     * that would return it fails for as long as its connection lives.
     *
     * @param name the column as the statement names it
     */
    static String output(Column column, String name) {
        String typed = name + "::" + column.sqlType();
        boolean isDecoded = column.type() instanceof Scalar scalar && DECODED.contains(scalar)
                || DECODED_TEXT.contains(column.sqlType());
        return isDecoded ? typed : typed + "::text";
    }

    /**
     * @param name of the type under all domains, or of the element of an array
     * @param system whether the type is one of PostgreSQL's own
     * @param visible whether it is on the search path; the operators of an extension's type are found there or not at all
     * @param labels of an enum
     */
    public static ColumnType of(String name, boolean system, boolean visible, Optional<List<String>> labels) {
        if (labels.isPresent()) {
            return new Enumerated(labels.get());
        } else if (system) {
            return SCALARS.getOrDefault(name, Scalar.OTHER);
        }
        return visible && name.equals("citext") ? Scalar.TEXT : Scalar.OTHER;
    }
}

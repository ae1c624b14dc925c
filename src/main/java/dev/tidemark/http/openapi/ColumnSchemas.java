package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createSchema;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.ArrayOf;
import dev.tidemark.feed.ColumnType.Enumerated;
import dev.tidemark.feed.ColumnType.Scalar;
import java.util.List;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;

/** JSON schemas of column values in responses and in parameters. */
final class ColumnSchemas {

    private ColumnSchemas() {}

    /** The schema of a column in an item, as {@code ColumnWriter} writes it. */
    static Schema of(Column column) {
        Schema schema = of(column.type());
        return column.nullable() ? nullable(schema) : schema;
    }

    /** The schema of a parameter value that is parsed as the column's type. */
    static Schema parameter(Column column) {
        if (column.type() == Scalar.BIGINT) {
            return createSchema().addType(SchemaType.INTEGER).format("int64");
        }
        return of(column.type());
    }

    private static Schema of(ColumnType type) {
        if (type instanceof Enumerated labels) {
            return createSchema().addType(SchemaType.STRING).enumeration(List.copyOf(labels.labels()));
        }
        if (type instanceof ArrayOf array) {
            // PostgreSQL arrays can have several dimensions, so an element may be an array.
            return createSchema()
                    .addType(SchemaType.ARRAY)
                    .items(createSchema()
                            .addAnyOf(nullable(of(array.element())))
                            .addAnyOf(createSchema().addType(SchemaType.ARRAY)));
        }
        return of((Scalar) type);
    }

    private static Schema of(Scalar type) {
        return switch (type) {
            case SMALLINT, INTEGER -> createSchema().addType(SchemaType.INTEGER).format("int32");
            case BIGINT -> string("int64").pattern("^-?[0-9]+$");
            case NUMERIC -> string("decimal").description("a decimal number, NaN, Infinity or -Infinity");
            case REAL -> floating("float");
            case DOUBLE -> floating("double");
            case BOOLEAN -> createSchema().addType(SchemaType.BOOLEAN);
            case TEXT -> createSchema().addType(SchemaType.STRING);
            case UUID -> string("uuid");
            case DATE ->
                createSchema()
                        .addType(SchemaType.STRING)
                        .description("ISO 8601; also infinity, -infinity, and years with a sign outside 0001 to 9999");
            case TIME ->
                createSchema().addType(SchemaType.STRING).description("HH:mm:ss with the stored fraction of a second");
            case TIMESTAMP ->
                createSchema()
                        .addType(SchemaType.STRING)
                        .description(
                                "ISO 8601 without a time zone; also infinity, -infinity, and years with a sign outside 0001 to 9999");
            case TIMESTAMPTZ ->
                createSchema()
                        .addType(SchemaType.STRING)
                        .description(
                                "RFC 3339 in UTC; also infinity, -infinity, and years with a sign outside 0001 to 9999");
            case JSON -> createSchema().description("any JSON value");
            case BYTEA -> createSchema().addType(SchemaType.STRING).contentEncoding("base64");
            case OTHER -> createSchema().addType(SchemaType.STRING).description("PostgreSQL's text representation");
        };
    }

    private static Schema floating(String format) {
        return createSchema()
                .addAnyOf(createSchema().addType(SchemaType.NUMBER).format(format))
                .addAnyOf(
                        createSchema().addType(SchemaType.STRING).enumeration(List.of("NaN", "Infinity", "-Infinity")));
    }

    private static Schema string(String format) {
        return createSchema().addType(SchemaType.STRING).format(format);
    }

    private static Schema nullable(Schema schema) {
        Schema nothing = createSchema().addType(SchemaType.NULL);
        if (schema.getType() == null && schema.getAnyOf() == null) {
            return schema;
        }
        // An enumeration would also have to list null, so null is a separate alternative.
        return schema.getType() == null || schema.getEnumeration() != null
                ? createSchema().addAnyOf(schema).addAnyOf(nothing)
                : schema.addType(SchemaType.NULL);
    }
}

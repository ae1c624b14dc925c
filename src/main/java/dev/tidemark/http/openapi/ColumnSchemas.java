package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createSchema;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.ArrayType;
import dev.tidemark.feed.ColumnType.EnumType;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import org.eclipse.microprofile.openapi.models.media.Schema;

/**
 * JSON schemas of a feed's column values in responses and in parameters. No schema excludes a value that its column can
 * have, except an array with a different number of dimensions than declared.
 */
record ColumnSchemas(Feed feed, GeneratedNames names, SharedComponents shared) {

    /** The schema of a column in an item, as {@code ColumnWriter} writes it. */
    Schema of(Column column) {
        return nullableAs(column, ofValue(column));
    }

    /** The schema of an embed in an item. */
    Schema of(Embed embed) {
        Schema row = shared.schema(names.embedSchemaName(feed, embed), () -> {
            Schema members = Schemas.object()
                    .description("The row of `" + embed.name() + "` of an item of the feed `" + feed.name() + "`.");
            embed.columns()
                    .forEach(column -> Schemas.with(
                            members,
                            column.name(),
                            nullableAs(
                                    column,
                                    of(
                                            names.valueSchemaName(feed, embed, column),
                                            embed.name() + '.' + column.name(),
                                            column.type()))));
            return members;
        });
        return Schemas.nullable(row);
    }

    private static Schema nullableAs(Column column, Schema schema) {
        return column.nullable() ? Schemas.nullable(schema) : schema;
    }

    /** The schema of a value that is not NULL, in an item or a parameter. */
    Schema ofValue(Column column) {
        return of(names.valueSchemaName(feed, column), column.name(), column.type());
    }

    /**
     * @param schemaName the name of the schema if the type is an enum
     * @param column the name of the column
     * @param type the type of the column, or of the elements of its arrays
     */
    private Schema of(String schemaName, String column, ColumnType type) {
        if (type instanceof EnumType enumeration) {
            return shared.schema(schemaName, () -> Schemas.enumeration(enumeration.labels())
                    .description("A value of `" + column + "` in the feed `" + feed.name() + "`."));
        }
        if (type instanceof ArrayType array) {
            Schema values = Schemas.list(Schemas.nullable(of(schemaName, column, array.element())));
            for (int i = 1; i < array.dimensions(); i++) {
                values = Schemas.list(values);
            }
            return values;
        }
        return of(type instanceof EpochType ? Scalar.TIMESTAMPTZ : (Scalar) type);
    }

    private Schema of(Scalar type) {
        return switch (type) {
            case SMALLINT, INTEGER -> Schemas.integer();
            case BIGINT -> shared.schema("BigInteger");
            case NUMERIC -> shared.schema("DecimalNumber");
            case REAL, DOUBLE -> shared.schema("RealNumber");
            case BOOLEAN -> Schemas.bool();
            case TEXT -> Schemas.text();
            case UUID -> Schemas.text().format("uuid");
            case DATE -> shared.schema("CalendarDate");
            case TIME -> shared.schema("TimeOfDay");
            case TIMESTAMP -> shared.schema("LocalTimestamp");
            case TIMESTAMPTZ -> shared.schema("Timestamp");
            case JSON -> createSchema().description("Any JSON value.");
            case BYTEA -> Schemas.text("Bytes in base64.").contentEncoding("base64");
            case OTHER -> Schemas.text("The value in PostgreSQL's text format.");
        };
    }
}

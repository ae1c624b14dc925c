package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createSchema;

import java.util.List;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;

/** Creates the schemas from which the others are composed. */
final class Schemas {

    private Schemas() {}

    static Schema reference(String name) {
        return createSchema().ref("#/components/schemas/" + name);
    }

    static Schema text() {
        return createSchema().addType(SchemaType.STRING);
    }

    static Schema text(String description) {
        return text().description(description);
    }

    static Schema enumeration(List<String> values) {
        return text().enumeration(List.copyOf(values));
    }

    static Schema bool() {
        return createSchema().addType(SchemaType.BOOLEAN);
    }

    static Schema integer() {
        return createSchema().addType(SchemaType.INTEGER).format("int32");
    }

    static Schema list(Schema items) {
        return createSchema().addType(SchemaType.ARRAY).items(items);
    }

    static Schema object() {
        return createSchema().addType(SchemaType.OBJECT);
    }

    /** Adds a required member. */
    static Schema with(Schema object, String name, Schema member) {
        return object.addProperty(name, member).addRequired(name);
    }

    /** A cursor or token of a response; {@code null} if there is none. */
    static Schema token(String description) {
        return nullable(text(description));
    }

    /** Returns a schema that allows {@code null} in addition to the values of the given schema. */
    static Schema nullable(Schema schema) {
        if (schema.getType() != null && schema.getEnumeration() == null) {
            return schema.addType(SchemaType.NULL);
        }
        // An enumeration would also have to list null, and a reference has no type, so null is a separate alternative.
        // Any other schema without a type already allows null.
        return schema.getType() != null || schema.getRef() != null
                ? createSchema().addAnyOf(schema).addAnyOf(createSchema().addType(SchemaType.NULL))
                : schema;
    }
}

package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createHeader;
import static org.eclipse.microprofile.openapi.OASFactory.createParameter;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/**
 * The components of the document. Each component is added at the first reference to it, so that the document has no
 * unused components.
 */
final class SharedComponents {

    private final Components components;
    private final Set<String> addedKeys = new HashSet<>();

    SharedComponents(Components components) {
        this.components = components;
    }

    /** @return a reference to the schema with this name */
    Schema schema(String name, Supplier<Schema> definition) {
        if (addedKeys.add("schemas/" + name)) {
            components.addSchema(name, definition.get());
        }
        return Schemas.reference(name);
    }

    /** @return a reference to the parameter with this key */
    Parameter parameter(String key, Supplier<Parameter> definition) {
        if (addedKeys.add("parameters/" + key)) {
            components.addParameter(key, definition.get());
        }
        return createParameter().ref("#/components/parameters/" + key);
    }

    /** @return a reference to the header with this name */
    Header header(String name, Supplier<Header> definition) {
        if (addedKeys.add("headers/" + name)) {
            components.addHeader(name, definition.get());
        }
        return createHeader().ref("#/components/headers/" + name);
    }

    /** @return a reference to the response with this key */
    APIResponse response(String key, Supplier<APIResponse> definition) {
        if (addedKeys.add("responses/" + key)) {
            components.addResponse(key, definition.get());
        }
        return createAPIResponse().ref("#/components/responses/" + key);
    }
}

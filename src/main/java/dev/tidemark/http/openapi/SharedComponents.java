package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createHeader;
import static org.eclipse.microprofile.openapi.OASFactory.createParameter;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
    private final Map<Parameter, String> parameterKeys = new HashMap<>();

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

    /**
     * Returns a reference to a parameter. Equal parameters are one component, so that the size of the document hardly
     * grows with feeds that have the same columns. The key is the parameter's name. If this key belongs to a different
     * parameter, the key begins with the qualifier, such as {@code letters.status}, and if necessary ends with a number.
     */
    Parameter parameter(String qualifier, Parameter definition) {
        String key = parameterKeys.computeIfAbsent(definition, added -> addParameter(qualifier, added));
        return createParameter().ref("#/components/parameters/" + key);
    }

    private String addParameter(String qualifier, Parameter definition) {
        String name = encodeKey(definition.getName());
        String qualified = qualifier + '.' + name;
        String key = Stream.concat(
                        Stream.of(name, qualified),
                        IntStream.iterate(2, i -> i + 1).mapToObj(i -> qualified + '-' + i))
                .filter(candidate -> addedKeys.add("parameters/" + candidate))
                .findFirst()
                .orElseThrow();
        components.addParameter(key, definition);
        return key;
    }

    /** A key can contain only letters, digits, and a few other characters, so the rest is encoded. */
    private static String encodeKey(String name) {
        return name.codePoints()
                .mapToObj(c -> c == '.' || c == '-' || c == '_' || c < 128 && Character.isLetterOrDigit(c)
                        ? Character.toString(c)
                        : '-' + Integer.toHexString(c) + '-')
                .collect(Collectors.joining());
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

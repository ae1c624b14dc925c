package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createComponents;
import static org.eclipse.microprofile.openapi.OASFactory.createParameter;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import org.jspecify.annotations.Nullable;

/**
 * The components of the document. Each component is added at the first reference to it, so that the document has no
 * unused components.
 */
final class SharedComponents {

    private final Components protocol;
    private final Components components = createComponents();
    private final Set<String> addedKeys = new HashSet<>();
    private final Map<Parameter, String> parameterKeys = new HashMap<>();

    /** @param protocol the components of the protocol, which do not depend on the feeds */
    SharedComponents(Components protocol) {
        this.protocol = protocol;
    }

    /** The components that have been referred to. */
    Components components() {
        return components;
    }

    /** @return a reference to the schema of the protocol with this name */
    Schema schema(String name) {
        return schema(name, () -> include(defined(protocol.getSchemas(), name)));
    }

    /** @return a reference to the schema with this name */
    Schema schema(String name, Supplier<Schema> definition) {
        if (addedKeys.add("schemas/" + name)) {
            components.addSchema(name, definition.get());
        }
        return Schemas.reference(name);
    }

    /** @return a reference to the parameter of the protocol with this key */
    Parameter parameter(String key) {
        if (addedKeys.add("parameters/" + key)) {
            components.addParameter(key, defined(protocol.getParameters(), key));
        }
        return parameterReference(key);
    }

    /**
     * Returns a reference to a parameter. Equal parameters are one component, so that the size of the document hardly
     * grows with feeds that have the same columns. The key is the parameter's name. If this key belongs to a different
     * parameter, the key begins with the qualifier, such as {@code letters.status}, and if necessary ends with a number.
     */
    Parameter parameter(String qualifier, Parameter definition) {
        return parameterReference(parameterKeys.computeIfAbsent(definition, added -> addParameter(qualifier, added)));
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

    private static Parameter parameterReference(String key) {
        return createParameter().ref("#/components/parameters/" + key);
    }

    /**
     * Adds the components of the protocol that a response refers to.
     *
     * @return the response
     */
    APIResponse include(APIResponse response) {
        if (response.getRef() != null) {
            String key = key(response.getRef());
            if (addedKeys.add("responses/" + key)) {
                components.addResponse(key, include(defined(protocol.getResponses(), key)));
            }
            return response;
        }
        values(response.getHeaders()).forEach(this::include);
        if (response.getContent() != null) {
            values(response.getContent().getMediaTypes()).stream()
                    .filter(content -> content.getSchema() != null)
                    .forEach(content -> include(content.getSchema()));
        }
        return response;
    }

    private void include(Header header) {
        String key = key(header.getRef());
        if (addedKeys.add("headers/" + key)) {
            components.addHeader(key, defined(protocol.getHeaders(), key));
        }
    }

    private Schema include(Schema schema) {
        if (schema.getRef() != null) {
            schema(key(schema.getRef()));
        }
        values(schema.getProperties()).forEach(this::include);
        if (schema.getItems() != null) {
            include(schema.getItems());
        }
        return schema;
    }

    private static <T> T defined(Map<String, T> definitions, String key) {
        return Objects.requireNonNull(definitions.get(key), key);
    }

    static String key(String reference) {
        return reference.substring(reference.lastIndexOf('/') + 1);
    }

    private static <T> Collection<T> values(@Nullable Map<String, T> members) {
        return members == null ? List.of() : members.values();
    }
}

package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createHeader;
import static org.eclipse.microprofile.openapi.OASFactory.createParameter;
import static org.eclipse.microprofile.openapi.OASFactory.createSchema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/** Adds cache headers, {@code If-None-Match} and the 304 responses to the OpenAPI document. */
final class CachingDescription {

    private static final List<String> COMMON_HEADERS = List.of("ETag", "Cache-Control", "Vary");
    private static final List<String> PAGE_HEADERS = List.of("ETag", "Cache-Control", "Vary", "Link", "Server-Timing");
    private static final List<String> ROWS_HEADERS = List.of("ETag", "Cache-Control", "Vary", "Server-Timing");

    private CachingDescription() {}

    /** Adds the components that the paths refer to. */
    static void addTo(Components components) {
        components
                .addHeader("ETag", header("A weak tag computed from the body before compression"))
                .addHeader("Cache-Control", header("Which caches may store the response, and for how long it is fresh"))
                .addHeader("Vary", header("The request headers that the response depends on"))
                .addHeader("Link", header("Links to the next, previous and first page (RFC 8288): next, prev, first"))
                .addHeader("Server-Timing", header("db;dur= followed by the database time in milliseconds"))
                .addParameter(
                        "If-None-Match",
                        createParameter()
                                .name("If-None-Match")
                                .in(Parameter.In.HEADER)
                                .description("The ETag of a stored response; several are separated by commas")
                                .schema(createSchema().addType(SchemaType.STRING)))
                .addResponse("NotModified", notModified(COMMON_HEADERS))
                .addResponse("PageNotModified", notModified(PAGE_HEADERS))
                .addResponse("RowsNotModified", notModified(ROWS_HEADERS));
    }

    /** Describes the caching of pages. */
    static void describePage(Operation operation) {
        describe(operation, PAGE_HEADERS, "PageNotModified");
    }

    /** Describes the caching of pages of the universal protocol. */
    static void describeRows(Operation operation) {
        describe(operation, ROWS_HEADERS, "RowsNotModified");
    }

    /** Describes the caching of the list of feeds. */
    static void describeCatalogue(Operation operation) {
        describe(operation, COMMON_HEADERS, "NotModified");
    }

    private static void describe(Operation operation, List<String> headers, String notModified) {
        operation.addParameter(createParameter().ref("#/components/parameters/If-None-Match"));
        operation.getResponses().getAPIResponse("200").headers(references(headers));
        operation
                .getResponses()
                .addAPIResponse("304", createAPIResponse().ref("#/components/responses/" + notModified));
    }

    private static APIResponse notModified(List<String> headers) {
        return createAPIResponse()
                .description("The stored response is still valid; this response has no body")
                .headers(references(headers));
    }

    private static Map<String, Header> references(List<String> names) {
        Map<String, Header> headers = new LinkedHashMap<>();
        names.forEach(name -> headers.put(name, createHeader().ref("#/components/headers/" + name)));
        return headers;
    }

    private static Header header(String description) {
        return createHeader().description(description).schema(createSchema().addType(SchemaType.STRING));
    }
}

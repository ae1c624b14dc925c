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

/** As the OpenAPI document describes it: how a client keeps an answer, and asks whether it still holds. */
final class CachingDescription {

    private static final List<String> COMMON_HEADERS = List.of("ETag", "Cache-Control", "Vary");
    private static final List<String> PAGE_HEADERS = List.of("ETag", "Cache-Control", "Vary", "Link", "Server-Timing");
    private static final List<String> ROWS_HEADERS = List.of("ETag", "Cache-Control", "Vary", "Server-Timing");

    private CachingDescription() {}

    /** What the others refer to. */
    static void addTo(Components components) {
        components
                .addHeader("ETag", header("Weak, of the bytes before compression: other bytes, other tag"))
                .addHeader("Cache-Control", header("Who may keep the answer, and how long without asking again"))
                .addHeader("Vary", header("The request headers that the answer depends on"))
                .addHeader("Link", header("The pages around this one, RFC 8288: next, prev, first"))
                .addHeader("Server-Timing", header("db;dur= the milliseconds that the database took"))
                .addParameter(
                        "If-None-Match",
                        createParameter()
                                .name("If-None-Match")
                                .in(Parameter.In.HEADER)
                                .description("The ETag of an answer that the client has; several, by commas")
                                .schema(createSchema().addType(SchemaType.STRING)))
                .addResponse("NotModified", notModified(COMMON_HEADERS))
                .addResponse("PageNotModified", notModified(PAGE_HEADERS))
                .addResponse("RowsNotModified", notModified(ROWS_HEADERS));
    }

    /** Describes how pages are kept. */
    static void describePage(Operation operation) {
        describe(operation, PAGE_HEADERS, "PageNotModified");
    }

    /** Describes how pages of the universal protocol are kept. */
    static void describeRows(Operation operation) {
        describe(operation, ROWS_HEADERS, "RowsNotModified");
    }

    /** Describes how the catalogue is kept. */
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
                .description("The client has this very answer; there is no body")
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

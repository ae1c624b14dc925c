package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createHeader;
import static org.eclipse.microprofile.openapi.OASFactory.createParameter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/** Adds cache headers, {@code If-None-Match} and the 304 responses to the OpenAPI document. */
record CachingDescription(SharedComponents shared) {

    private static final Map<String, String> DESCRIPTIONS = Map.of(
            "ETag", "A weak entity tag, which is the same in every content coding.",
            "Cache-Control", "Which caches may store the response, and for how long they may use it.",
            "Vary", "The request headers that the response depends on.",
            "Link", "The URLs of the first page and, if they exist, of the next and the previous page (RFC 8288).",
            "Server-Timing", "How long the request waited for the database, in milliseconds, after `db;dur=`.");

    private static final List<String> COMMON_HEADERS = List.of("ETag", "Cache-Control", "Vary");
    private static final List<String> PAGE_HEADERS = List.of("ETag", "Cache-Control", "Vary", "Link", "Server-Timing");
    private static final List<String> UNIVERSAL_PAGE_HEADERS =
            List.of("ETag", "Cache-Control", "Vary", "Server-Timing");

    /** Describes the caching of pages. */
    void describePage(Operation operation) {
        describe(operation, PAGE_HEADERS, "PageNotModified");
    }

    /** Describes the caching of pages of the universal protocol. */
    void describeUniversalPage(Operation operation) {
        describe(operation, UNIVERSAL_PAGE_HEADERS, "RowsNotModified");
    }

    /** Describes the caching of the list of feeds. */
    void describeFeedList(Operation operation) {
        describe(operation, COMMON_HEADERS, "NotModified");
    }

    private void describe(Operation operation, List<String> headers, String notModifiedKey) {
        operation.addParameter(shared.parameter("header", ifNoneMatch()));
        operation.getResponses().getAPIResponse("200").headers(references(headers));
        operation.getResponses().addAPIResponse("304", shared.response(notModifiedKey, () -> createAPIResponse()
                .description("The stored response is still valid. This response has no body.")
                .headers(references(headers))));
    }

    private static Parameter ifNoneMatch() {
        return createParameter()
                .name("If-None-Match")
                .in(Parameter.In.HEADER)
                .description("The `ETag`s of stored responses, separated by commas.")
                .schema(Schemas.text());
    }

    private Map<String, Header> references(List<String> names) {
        Map<String, Header> headers = new LinkedHashMap<>();
        names.forEach(name -> headers.put(name, shared.header(name, () -> createHeader()
                .description(DESCRIPTIONS.get(name))
                .schema(Schemas.text()))));
        return headers;
    }
}

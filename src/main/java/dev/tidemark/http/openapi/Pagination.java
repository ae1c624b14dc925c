package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createLink;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.links.Link;

/**
 * Declares how an operation is paged, in the ways that tools understand: OpenAPI links, and the extensions of
 * Speakeasy and Fern, whose generated clients then offer iterators over all pages.
 *
 * @param cursorParameter the parameter that takes the cursor of the next page
 * @param nextPath the path of that cursor in a page, from the outermost member to the innermost
 * @param itemsPath the path of the items in a page
 */
record Pagination(String cursorParameter, List<String> nextPath, List<String> itemsPath) {

    void describe(Operation operation) {
        operation.addExtension(
                "x-speakeasy-pagination",
                sortByKey(Map.of(
                        "type",
                        "cursor",
                        "inputs",
                        List.of(sortByKey(Map.of("name", cursorParameter, "in", "parameters", "type", "cursor"))),
                        "outputs",
                        sortByKey(Map.of(
                                "nextCursor",
                                "$." + String.join(".", nextPath),
                                "results",
                                "$." + String.join(".", itemsPath))))));
        operation.addExtension(
                "x-fern-pagination",
                sortByKey(Map.of(
                        "cursor",
                        "$request." + cursorParameter,
                        "next_cursor",
                        "$response." + String.join(".", nextPath),
                        "results",
                        "$response." + String.join(".", itemsPath))));
    }

    /** Returns the map sorted by key, because the order of {@code Map.of} can differ from one start to the next. */
    private static Map<String, Object> sortByKey(Map<String, ?> members) {
        return new TreeMap<>(members);
    }

    /**
     * Returns a link to an operation that continues from a cursor of the response, in the list that was requested. The
     * parameters that select the list are not listed, because they would be most of the document.
     *
     * @param parameter the parameter that takes the cursor
     * @param cursorPath the path of the cursor in the response
     */
    static Link link(String description, String operationId, String parameter, List<String> cursorPath) {
        return createLink()
                .operationId(operationId)
                .description(description)
                .parameters(Map.of(parameter, "$response.body#/" + String.join("/", cursorPath)));
    }
}

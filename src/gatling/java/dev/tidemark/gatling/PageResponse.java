package dev.tidemark.gatling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * A page as received by a client. Parsing checks what is guaranteed for every page, so that a fast but wrong response
 * counts as a failure.
 */
record PageResponse(List<JsonNode> items, String next, String previous, String top, String last) {

    private static final ObjectMapper JSON = new ObjectMapper();

    static PageResponse parse(String body) {
        return of(json(body));
    }

    static JsonNode json(String body) {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PageResponse of(JsonNode page) {
        List<JsonNode> items = new ArrayList<>();
        page.required("items").forEach(items::add);
        String next = page.required("next_cursor").textValue();
        String previous = page.required("prev_cursor").textValue();
        JsonNode bookmarks = page.required("cursors");
        PageResponse response = new PageResponse(
                items,
                next,
                previous,
                bookmarks.required("top").textValue(),
                bookmarks.required("last").textValue());
        int limit = page.required("limit").intValue();
        require(page.required("has_more").booleanValue() == (next != null), "has_more contradicts next_cursor");
        require(page.required("has_prev").booleanValue() == (previous != null), "has_prev contradicts prev_cursor");
        require(items.size() <= limit, "the page has more items than the limit");
        require(next == null || items.size() == limit, "a page with a next_cursor has fewer items than the limit");
        require(new HashSet<>(response.ids()).size() == items.size(), "an item occurs twice on one page");
        return response;
    }

    List<String> ids() {
        return items.stream().map(item -> item.required("id").asText()).toList();
    }

    Instant itemCreatedAt(int index) {
        return Instant.parse(items.get(index).required("created_at").textValue());
    }

    /** Throws an exception if the condition is false, so that the request fails with this message in the report. */
    static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalStateException(message);
        }
    }
}

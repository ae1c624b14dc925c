package dev.tidemark.http.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** A client as a mobile team would write it: it keeps a list of items and the bookmarks of its two ends. */
final class MobileClient {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String feed;
    private final String order;
    private final String list;
    private List<JsonNode> items = new ArrayList<>();
    private String top;
    private String last;

    /** @param feed the feed's URL */
    MobileClient(String feed, String order, int limit) {
        this.feed = feed;
        this.order = order;
        this.list = feed + "?order=" + order + "&limit=" + limit + "&fields=id,sent_at,edited_at";
    }

    List<JsonNode> items() {
        return items;
    }

    List<String> ids() {
        return ids(items);
    }

    static List<String> ids(List<JsonNode> items) {
        return items.stream().map(item -> item.get("id").asText()).toList();
    }

    /** @param between happens after each page */
    void scroll(int pages, Runnable between) {
        JsonNode page = page("");
        top = page.at("/cursors/top").asText();
        page.get("items").forEach(items::add);
        for (int i = 1; i < pages && page.get("has_more").asBoolean(); i++) {
            between.run();
            page = page("&cursor=" + page.get("next_cursor").asText());
            page.get("items").forEach(items::add);
        }
        last = page.at("/cursors/last").asText();
    }

    /** The number on the button "new messages", and whether there are more. */
    JsonNode fresh() {
        return get(feed + "/fresh?order=" + order + "&cursor=" + top);
    }

    /** The items above its old top. */
    List<JsonNode> closeTheHole() {
        return until(top);
    }

    /** All items down to its old end, because many may have been deleted. */
    List<JsonNode> readAgain() {
        return until(last);
    }

    private List<JsonNode> until(String bookmark) {
        List<JsonNode> found = new ArrayList<>();
        JsonNode page = page("&until=" + bookmark);
        page.get("items").forEach(found::add);
        while (page.get("has_more").asBoolean()) {
            page = page(
                    "&until=" + bookmark + "&cursor=" + page.get("next_cursor").asText());
            page.get("items").forEach(found::add);
        }
        return found;
    }

    private JsonNode page(String where) {
        return get(list + where);
    }

    private static JsonNode get(String url) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
            HttpResponse<byte[]> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (answer.statusCode() != 200) {
                throw new AssertionError(new String(answer.body()));
            }
            return JSON.readTree(answer.body());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

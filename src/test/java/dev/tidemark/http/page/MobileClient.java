package dev.tidemark.http.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.client.FeedList;
import dev.tidemark.client.FreshCount;
import dev.tidemark.client.PageStart;
import dev.tidemark.client.TidemarkClient;
import dev.tidemark.http.TestServer;
import java.util.ArrayList;
import java.util.List;

/** A client as a mobile team would write it: it keeps a list of items and bookmarks of both ends of the list. */
final class MobileClient {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TidemarkClient CLIENT = TidemarkClient.of(TestServer.url(""));

    private final FeedList<JsonNode> list;
    private final List<JsonNode> items = new ArrayList<>();
    private String top;
    private String last;

    MobileClient(String feed, String order, int limit) {
        list = CLIENT.feed(feed, JSON::readTree).order(order).limit(limit).fields("id", "sent_at", "edited_at");
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

    /** @param betweenPages runs after each page */
    void scroll(int pages, Runnable betweenPages) {
        list.pages().limit(pages).forEach(page -> {
            items.addAll(page.items());
            if (top == null) {
                top = page.top().orElseThrow();
            }
            last = page.last().orElseThrow();
            betweenPages.run();
        });
    }

    /** The number on the button "new messages", and whether there are more. */
    FreshCount fresh() {
        return list.fresh(top);
    }

    /** Reads the items above the old top. */
    List<JsonNode> readNewItems() {
        return list.newItems(top).items();
    }

    /** Reads all items down to the old end again, because many may have been edited or deleted. */
    List<JsonNode> readAgain() {
        return list.items(PageStart.first().until(last)).toList();
    }
}

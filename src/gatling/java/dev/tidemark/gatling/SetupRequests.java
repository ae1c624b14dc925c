package dev.tidemark.gatling;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.client.FeedList;
import dev.tidemark.client.Page;
import dev.tidemark.client.PageStart;
import dev.tidemark.client.ProblemCode;
import dev.tidemark.client.ProblemException;
import dev.tidemark.client.TidemarkClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;

/** Requests data that a simulation needs before it starts. These requests are not measured. */
final class SetupRequests {

    private static final int OK = 200;

    private SetupRequests() {}

    /** Returns the feed's default list, with a page size of one item. */
    static FeedList<JsonNode> defaultList() {
        return TidemarkClient.of(URI.create(Settings.BASE_URL))
                .feed(Settings.FEED, PageResponse::json)
                .limit(1);
    }

    /** Returns the page that a jump to an item returns; empty if the list does not contain the item. */
    static Optional<Page<JsonNode>> pageAt(FeedList<JsonNode> list, String id) {
        try {
            return Optional.of(list.page(PageStart.fromId(id)));
        } catch (ProblemException e) {
            if (e.problem().code() == ProblemCode.ANCHOR_NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Returns the key of the item at a position, counted from 1; empty if the list is shorter, or if the universal
     * protocol does not serve this offset.
     */
    static Optional<String> idAtPosition(int position) {
        URI page = URI.create(Settings.BASE_URL + "/v3/" + Settings.FEED + "?limit=1&after=" + (position - 1));
        HttpResponse<String> response = HttpClient.newHttpClient()
                .sendAsync(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString())
                .join();
        return response.statusCode() == OK
                ? PageResponse.json(response.body()).at("/result/rows").findValuesAsText("id").stream()
                        .findFirst()
                : Optional.empty();
    }
}

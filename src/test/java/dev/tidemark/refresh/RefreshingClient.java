package dev.tidemark.refresh;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.DeployedServer;
import dev.tidemark.refresh.ListRange.Place;
import dev.tidemark.refresh.Row.Key;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A client that keeps parts of lists and one moment for all of them. It refreshes the lists as the API's documentation
 * describes: for each key of a page, it takes the item from the page if the page contains it, and its own copy
 * otherwise.
 */
final class RefreshingClient {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int[] LIMITS = {10, 30, 100, 400};

    private DeployedServer server;
    private final Random random;
    private final Map<ListRange, List<Row>> lists = new HashMap<>();
    private final Map<ListRange, Map<Key, Row>> copies = new HashMap<>();
    private String moment;
    private int keyCount;
    private int itemCount;

    RefreshingClient(DeployedServer server, Random random) {
        this.server = server;
        this.random = random;
    }

    /** From now on, requests go to another server with the same cursor keys. */
    void switchTo(DeployedServer other) {
        server = other;
    }

    List<Row> list(ListRange range) {
        return lists.get(range);
    }

    int keyCount() {
        return keyCount;
    }

    int itemCount() {
        return itemCount;
    }

    /**
     * Reads a list for the first time, from the start of the range.
     *
     * @param items reading forward stops with the page that reaches this number of items; reading backward ignores it
     * @return the range that was read
     */
    ListRange load(ListRange range, int items) throws Exception {
        List<Row> rows = new ArrayList<>();
        JsonNode page = read(range, range.firstTarget(), rows, null);
        moment = moment == null ? page.get("moment").asText() : moment;
        while (hasMore(range, page) && (range.backward() || rows.size() < items)) {
            page = read(range, range.nextTarget(next(range, page)), rows, null);
        }
        ListRange loaded = range.backward() || !hasMore(range, page)
                ? range
                : range.until(new Place(page.at("/cursors/last").asText(), rows.get(rows.size() - 1)));
        keep(loaded, rows);
        return loaded;
    }

    /** Refreshes these ranges. The moment of the first page becomes the moment of the client. */
    void refresh(List<ListRange> ranges) throws Exception {
        String first = null;
        Map<ListRange, List<Row>> refreshed = new HashMap<>();
        for (ListRange range : ranges) {
            List<Row> rows = new ArrayList<>();
            JsonNode page = read(range, range.firstTarget(), rows, moment);
            first = first == null ? page.get("moment").asText() : first;
            while (hasMore(range, page)) {
                page = read(range, range.nextTarget(next(range, page)), rows, moment);
            }
            refreshed.put(range, rows);
        }
        refreshed.forEach(this::keep);
        moment = first;
    }

    /** A refresh that ends after the first page: the client keeps the items of the page, and its old moment. */
    void refreshFirstPage(ListRange range) throws Exception {
        List<Row> rows = new ArrayList<>();
        read(range, range.firstTarget(), rows, moment);
        rows.forEach(row -> copies.get(range).put(row.key(), row));
    }

    /**
     * Reads a page with {@code since} and without it, and checks that both results are the same. Nothing may be
     * committed in between.
     */
    void comparePages(ListRange range) throws Exception {
        String query = range.firstTarget() + "&count=exact&limit=" + (1 + random.nextInt(100));
        JsonNode plain = get(query);
        JsonNode page = get(query + "&since=" + moment);
        List<Row> rows = new ArrayList<>();
        plain.get("items").forEach(item -> rows.add(Row.of(item)));
        assertThat(rows(range, page)).isEqualTo(rows);
        for (String member :
                List.of("next_cursor", "has_more", "prev_cursor", "has_prev", "cursors", "limit", "count")) {
            assertThat(page.get(member)).as(member).isEqualTo(plain.get(member));
        }
    }

    private void keep(ListRange range, List<Row> rows) {
        lists.put(range, rows);
        Map<Key, Row> kept = new HashMap<>();
        rows.forEach(row -> kept.put(row.key(), row));
        copies.put(range, kept);
    }

    /** Reads a page, and adds its rows to those of earlier pages. */
    private JsonNode read(ListRange range, String query, List<Row> rows, String since) throws Exception {
        JsonNode page = get(
                query + "&limit=" + LIMITS[random.nextInt(LIMITS.length)] + (since == null ? "" : "&since=" + since));
        rows.addAll(range.backward() ? 0 : rows.size(), rows(range, page));
        return page;
    }

    private static boolean hasMore(ListRange range, JsonNode page) {
        return page.get(range.backward() ? "has_prev" : "has_more").asBoolean();
    }

    private static String next(ListRange range, JsonNode page) {
        return page.get(range.backward() ? "prev_cursor" : "next_cursor").asText();
    }

    private List<Row> rows(ListRange range, JsonNode page) throws Exception {
        List<Row> items = new ArrayList<>();
        page.get("items").forEach(item -> items.add(Row.of(item)));
        if (!page.has("keys")) {
            return items;
        }
        Map<Key, Row> sentItems = new HashMap<>();
        items.forEach(item -> sentItems.put(item.key(), item));
        List<Row> rows = new ArrayList<>();
        List<Row> sentInOrder = new ArrayList<>();
        for (JsonNode json : page.get("keys")) {
            Key key = json.isArray()
                    ? new Key(json.get(0).asText(), json.get(1).asLong())
                    : new Key("none", json.asLong());
            Row row = sentItems.get(key);
            if (row != null) {
                sentInOrder.add(row);
            } else {
                row = copies.get(range).get(key);
            }
            (row == null ? readAlone(range, key) : Optional.of(row)).ifPresent(rows::add);
        }
        assertThat(sentInOrder).as("items stand in the order of the keys").isEqualTo(items);
        keyCount += rows.size();
        itemCount += items.size();
        return rows;
    }

    /**
     * Reads an item of which the client has no copy. This occurs only for rows of an attached partition: a page that
     * was planned just before the partition was attached, and read just after, has the later moment, but not these
     * rows.
     */
    private Optional<Row> readAlone(ListRange range, Key key) throws Exception {
        assertThat(key.isFar())
                .as("no item and no copy of %s in %s", key, range)
                .isTrue();
        HttpResponse<String> response =
                server.get(range.target() + "&limit=1&from_id=" + key.region() + "&from_id=" + key.id());
        return response.statusCode() == 404
                ? Optional.empty()
                : Optional.of(Row.of(JSON.readTree(response.body()).at("/items/0")));
    }

    JsonNode get(String target) throws Exception {
        HttpResponse<String> response = server.get(target);
        assertThat(response.statusCode()).as(target + response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }
}

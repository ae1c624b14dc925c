package dev.tidemark.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One page of a list. Cursors are opaque and stay valid when rows are deleted, so you can store a cursor and continue
 * later.
 *
 * @param items the items in the list's order, even if the page was read backward
 * @param next the cursor of the page after this one; empty if this page reached the end of the list, or the cursor
 *     that {@link PageStart#until} sets, when it was read
 * @param prev the cursor of the page before this one; empty if there was no item before the first one when the page
 *     was read
 * @param top the cursor before the first item, for {@link FeedList#newItems} and {@link FeedList#fresh}. Empty only if
 *     this is a first page without items: the list was empty, or a search has found nothing so far
 * @param last the cursor after the last item, which continues with items that are appended later. Empty only if
 *     {@code top} is
 * @param limit the limit that was applied
 * @param count the number of items in the list, if the request asked for it
 * @param moment an opaque token for the time at which the page was read, for {@link FeedList#refresh}; empty if the
 *     feed is not declared with {@code delta}
 * @param partial whether this is a page of a search that ended because the server had looked at enough rows. It has
 *     fewer items than the limit, perhaps none, and its cursor continues behind the last of these rows
 * @param <T> the type of the items
 */
public record Page<T>(
        List<T> items,
        Optional<String> next,
        Optional<String> prev,
        Optional<String> top,
        Optional<String> last,
        int limit,
        Optional<Count> count,
        Optional<String> moment,
        boolean partial) {

    /**
     * The number of items in the list.
     *
     * @param value the number
     * @param relation {@code exact}, {@code estimate}, or {@code at_least} if counting stopped at the feed's cap
     */
    public record Count(long value, String relation) {}

    /**
     * Parses the body of a response to {@code GET /api/{feed}}, for programs that use another HTTP client.
     *
     * @param json the body
     * @param mapper maps each item
     * @param <T> the type of the items
     * @return the page
     * @throws IllegalArgumentException if the text is not a page
     * @throws FeedException if an item cannot be mapped
     */
    public static <T> Page<T> parse(String json, ItemMapper<T> mapper) {
        Map<String, String> page = JsonText.members(json);
        Map<String, String> bookmarks = JsonText.members(requiredMember(page, "cursors"));
        return new Page<>(
                parseItems(requiredMember(page, "items"), mapper),
                parseCursor(page, "next_cursor"),
                parseCursor(page, "prev_cursor"),
                parseCursor(bookmarks, "top"),
                parseCursor(bookmarks, "last"),
                Integer.parseInt(requiredMember(page, "limit")),
                Optional.ofNullable(page.get("count")).map(Page::parseCount),
                Optional.ofNullable(page.get("moment")).map(JsonText::string),
                "true".equals(page.get("partial")));
    }

    /**
     * Returns the keys of all items of a page that was requested with {@code since}. Each key is a list of
     * the values of its columns, as text.
     *
     * @param json the body
     */
    static List<List<String>> parseKeys(String json) {
        return JsonText.elements(requiredMember(JsonText.members(json), "keys")).stream()
                .map(Page::parseKey)
                .toList();
    }

    static List<String> parseKey(String key) {
        List<String> values = key.startsWith("[") ? JsonText.elements(key) : List.of(key);
        return values.stream().map(Page::parseText).toList();
    }

    private static String parseText(String value) {
        return value.startsWith("\"") ? JsonText.string(value) : value;
    }

    Page<T> withItems(List<T> newItems) {
        return new Page<>(newItems, next, prev, top, last, limit, count, moment, partial);
    }

    static <T> List<T> parseItems(String array, ItemMapper<T> mapper) {
        List<T> items = new ArrayList<>();
        for (String json : JsonText.elements(array)) {
            try {
                items.add(Objects.requireNonNull(mapper.map(json), "the mapper returned null"));
            } catch (Exception e) {
                throw new FeedException("an item cannot be mapped: " + e.getMessage(), e);
            }
        }
        return List.copyOf(items);
    }

    static Optional<String> parseCursor(Map<String, String> members, String name) {
        String value = requiredMember(members, name);
        return value.equals("null") ? Optional.empty() : Optional.of(JsonText.string(value));
    }

    private static Count parseCount(String object) {
        Map<String, String> count = JsonText.members(object);
        return new Count(
                Long.parseLong(requiredMember(count, "value")), JsonText.string(requiredMember(count, "relation")));
    }

    static String requiredMember(Map<String, String> members, String name) {
        String value = members.get(name);
        if (value == null) {
            throw new IllegalArgumentException("there is no member \"" + name + '"');
        }
        return value;
    }
}

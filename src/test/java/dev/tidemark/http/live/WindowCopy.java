package dev.tidemark.http.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.events.EventClient.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a client of a live window holds: keys and items as JSON. It applies events as the documentation says, and fails
 * if an event does not fit what it holds, or contains what it holds already.
 */
public final class WindowCopy {

    private static final Set<String> PAGE_MEMBERS =
            Set.of("items", "keys", "next_cursor", "has_more", "prev_cursor", "has_prev", "cursors", "limit", "moment");

    private final List<String> keyColumns;
    private final Function<String, Optional<String>> reader;
    private final List<String> keys = new ArrayList<>();
    private final Map<String, String> items = new HashMap<>();

    /** The keys whose items were read alone, and therefore possibly later than the event. */
    private final Set<String> readAlone = new HashSet<>();

    private boolean hasMore;
    private boolean hasPrevious;
    private Map<String, String> cursors;
    private String moment;
    private int eventCount;

    /** @param reader reads an item by its key, for a key that a resuming stream sends without the item */
    WindowCopy(List<String> keyColumns, Function<String, Optional<String>> reader) {
        this.keyColumns = keyColumns;
        this.reader = reader;
    }

    /** A copy that never needs to read an item by its key. */
    public WindowCopy(String... keyColumns) {
        this(List.of(keyColumns), key -> {
            throw new AssertionError("no item of " + key);
        });
    }

    public List<String> keys() {
        return keys;
    }

    /** The items in the list's order. */
    List<String> items() {
        return keys.stream().map(items::get).toList();
    }

    public String item(String key) {
        return items.get(key);
    }

    boolean hasMore() {
        return hasMore;
    }

    boolean hasPrevious() {
        return hasPrevious;
    }

    Map<String, String> cursors() {
        return cursors;
    }

    /** The id of the last event. */
    String moment() {
        return moment;
    }

    int eventCount() {
        return eventCount;
    }

    /** Adds an item that the client has read before, as JSON. */
    public void hold(String key, String item) {
        items.put(key, item);
    }

    /** @param isFirst whether the event is the first one of its stream */
    public WindowCopy apply(Event event, boolean isFirst) {
        Map<String, String> data = RawJson.members(event.data());
        boolean isPage = event.name().equals("page");
        assertThat(isPage).as("an event %s", event.name()).isEqualTo(isFirst);
        assertThat(event.id()).isNotEmpty();
        if (isPage) {
            assertThat(data.get("moment")).isEqualTo('"' + event.id() + '"');
            applyPage(data);
        } else {
            applyChange(data);
        }
        hasMore = Boolean.parseBoolean(data.get("has_more"));
        hasPrevious = Boolean.parseBoolean(data.get("has_prev"));
        cursors = RawJson.members(data.get("cursors"));
        assertThat(cursors.keySet()).containsExactly("top", "last");
        moment = event.id();
        eventCount++;
        return this;
    }

    private void applyPage(Map<String, String> page) {
        assertThat(page.keySet()).containsExactlyInAnyOrderElementsOf(PAGE_MEMBERS);
        List<String> pageKeys = RawJson.elements(page.get("keys"));
        Map<String, String> sent = itemsInOrder(page.get("items"), pageKeys);
        Map<String, String> copies = Map.copyOf(items);
        keys.clear();
        items.clear();
        for (String key : pageKeys) {
            keys.add(key);
            String item = sent.getOrDefault(key, copies.get(key));
            if (item == null) {
                readAlone.add(key);
                reader.apply(key).ifPresent(read -> items.put(key, read));
            } else {
                items.put(key, item);
            }
        }
        assertThat(new HashSet<>(keys)).as("distinct keys").hasSameSizeAs(keys);
    }

    private void applyChange(Map<String, String> change) {
        assertThat(change.keySet())
                .containsExactlyInAnyOrder("removed", "placed", "items", "has_more", "has_prev", "cursors");
        List<String> removed = RawJson.elements(change.get("removed"));
        List<String> placed = new ArrayList<>();
        Set<String> before = Set.copyOf(keys);
        for (String key : removed) {
            assertThat(keys.remove(key)).as("%s can be removed", key).isTrue();
        }
        for (String placement : RawJson.elements(change.get("placed"))) {
            List<String> keyAndAfter = RawJson.elements(placement);
            assertThat(keyAndAfter).hasSize(2);
            String key = keyAndAfter.get(0);
            String after = keyAndAfter.get(1);
            assertThat(keys).as("a key is placed once").doesNotContain(key);
            int index = after.equals("null") ? 0 : keys.indexOf(after) + 1;
            assertThat(index > 0 || after.equals("null"))
                    .as("%s is there", after)
                    .isTrue();
            keys.add(index, key);
            placed.add(key);
            assertThat(!before.contains(key) || removed.contains(key))
                    .as("%s moved, so it is removed, too", key)
                    .isTrue();
        }
        Map<String, String> sent = itemsInOrder(change.get("items"), keys);
        assertThat(sent.keySet()).as("items of placed keys").containsAll(placed);
        sent.forEach((key, item) -> {
            if (!placed.contains(key) && !readAlone.remove(key)) {
                assertThat(item).as("an item that is sent again").isNotEqualTo(items.get(key));
            }
            items.put(key, item);
        });
        items.keySet().retainAll(keys);
        boolean isFlagTurned = hasMore != Boolean.parseBoolean(change.get("has_more"))
                || hasPrevious != Boolean.parseBoolean(change.get("has_prev"));
        assertThat(isFlagTurned || !removed.isEmpty() || !sent.isEmpty())
                .as("an event without a difference")
                .isTrue();
    }

    /** The items by their keys. They must be in the order of the keys. */
    private Map<String, String> itemsInOrder(String array, List<String> order) {
        List<String> elements = RawJson.elements(array);
        Map<String, String> byKey = elements.stream().collect(Collectors.toMap(this::key, item -> item));
        assertThat(elements.stream().map(this::key).toList())
                .as("items stand in the list's order")
                .isEqualTo(order.stream().filter(byKey::containsKey).toList());
        return byKey;
    }

    private String key(String item) {
        Map<String, String> members = RawJson.members(item);
        Stream<String> values = keyColumns.stream().map(members::get);
        return keyColumns.size() == 1
                ? values.findFirst().orElseThrow()
                : values.collect(Collectors.joining(",", "[", "]"));
    }
}

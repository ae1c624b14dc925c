package dev.tidemark.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event {@code change}: how the items of a window differ from what the stream has sent before.
 *
 * @param removed the keys to take out
 * @param placed the keys to put in, one after the other
 * @param items the items to replace, and those of all keys in {@code placed}
 * @param hasMore whether the window has more items than the limit
 * @param last the cursor after the last item
 */
record WindowChange<T>(
        List<List<String>> removed, List<Placement> placed, List<T> items, boolean hasMore, Optional<String> last) {

    /** @param after the key to put {@code key} behind; null for the front */
    record Placement(List<String> key, @Nullable List<String> after) {}

    static <T> WindowChange<T> parse(String json, ItemMapper<T> mapper) {
        Map<String, String> change = JsonText.members(json);
        return new WindowChange<>(
                JsonText.elements(Page.requiredMember(change, "removed")).stream()
                        .map(Page::parseKey)
                        .toList(),
                JsonText.elements(Page.requiredMember(change, "placed")).stream()
                        .map(WindowChange::parsePlacement)
                        .toList(),
                Page.parseItems(Page.requiredMember(change, "items"), mapper),
                Page.requiredMember(change, "has_more").equals("true"),
                Page.parseCursor(JsonText.members(Page.requiredMember(change, "cursors")), "last"));
    }

    private static Placement parsePlacement(String json) {
        List<String> keys = JsonText.elements(json);
        if (keys.size() != 2) {
            throw new IllegalArgumentException("not a key and its predecessor: " + json);
        }
        return new Placement(
                Page.parseKey(keys.get(0)), keys.get(1).equals("null") ? null : Page.parseKey(keys.get(1)));
    }
}

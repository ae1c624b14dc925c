package dev.tidemark.client;

import dev.tidemark.client.LiveItem.Mark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is shown of a window: all of it, except for items above the first one that wait; and, marked, items that have
 * left their place. Not thread-safe.
 */
final class LiveView<T> {

    private record Entry<T>(List<String> key, @Nullable T item, Mark mark) {}

    private final LivePolicy<T> policy;
    private final boolean marksDeleted;

    private List<List<String>> waiting = List.of();
    private List<Entry<T>> shown = List.of();

    LiveView(LivePolicy<T> policy, boolean marksDeleted) {
        this.policy = policy;
        this.marksDeleted = marksDeleted;
    }

    /** Shows the whole window and nothing else. */
    void showAll(Window<T> window) {
        waiting = List.of();
        shown = entries(window, 0);
    }

    /**
     * Shows the window after a change on the server.
     *
     * @param isFull whether the window has more items than it can hold, so that the last ones can have been pushed out
     */
    void update(Window<T> window, boolean isFull) {
        Set<List<String>> staying = stayingKeys(window.keys());
        int first = 0;
        while (first < window.keys().size() && !staying.contains(window.keys().get(first))) {
            first++;
        }
        boolean hasMarked = marksDeleted && !shown.isEmpty();
        if (first == window.keys().size() && !hasMarked || first > 0 && showsAtOnce(window, first)) {
            first = 0;
        }
        waiting = window.keys().subList(0, first);
        List<Entry<T>> present = entries(window, first);
        shown = marksDeleted ? withMarked(present, staying, isFull ? keysBehind(staying) : Set.of()) : present;
    }

    /** Returns the keys that were present behind all those that stay. */
    private Set<List<String>> keysBehind(Set<List<String>> staying) {
        Set<List<String>> behind = new HashSet<>();
        for (Entry<T> entry : shown) {
            if (staying.contains(entry.key())) {
                behind.clear();
            } else if (entry.mark() == Mark.PRESENT) {
                behind.add(entry.key());
            }
        }
        return behind;
    }

    private boolean showsAtOnce(Window<T> window, int count) {
        return policy.showsAtOnce(window.keys().subList(0, count).stream()
                .map(window.items()::get)
                .filter(Objects::nonNull)
                .toList());
    }

    /**
     * Shows the window after the client has read more items, and has let go of others. Items that wait still do so,
     * unless items were added above them.
     */
    void grow(Window<T> window, boolean upward) {
        Set<List<String>> stillWaiting = new HashSet<>(upward ? List.of() : waiting);
        int first = 0;
        while (first < window.keys().size()
                && stillWaiting.contains(window.keys().get(first))) {
            first++;
        }
        waiting = window.keys().subList(0, first);
        List<Entry<T>> present = entries(window, first);
        Set<List<String>> held = new HashSet<>(window.keys());
        Set<List<String>> letGo = new HashSet<>();
        shown.stream()
                .filter(entry -> entry.mark() == Mark.PRESENT && !held.contains(entry.key()))
                .forEach(entry -> letGo.add(entry.key()));
        shown = marksDeleted ? withMarked(present, held, letGo) : present;
    }

    private static <T> List<Entry<T>> entries(Window<T> window, int first) {
        return window.keys().subList(first, window.keys().size()).stream()
                .map(key -> new Entry<>(key, window.items().get(key), Mark.PRESENT))
                .toList();
    }

    /**
     * Adds the entries that have left their place behind those that they stood behind.
     *
     * @param staying the keys that have kept their place
     * @param dropped keys that are no longer held, although their items may still be in the list
     */
    private List<Entry<T>> withMarked(List<Entry<T>> present, Set<List<String>> staying, Set<List<String>> dropped) {
        Set<List<String>> presentKeys = new HashSet<>();
        present.forEach(entry -> presentKeys.add(entry.key()));
        Set<List<String>> waitingKeys = new HashSet<>(waiting);
        Map<List<String>, List<Entry<T>>> marked = new HashMap<>();
        List<String> predecessor = null;
        for (Entry<T> entry : shown) {
            if (presentKeys.contains(entry.key())) {
                predecessor = staying.contains(entry.key()) ? entry.key() : predecessor;
            } else if (entry.item() != null && (waitingKeys.contains(entry.key()) || !dropped.contains(entry.key()))) {
                Mark mark = waitingKeys.contains(entry.key()) ? Mark.MOVED_UP : Mark.DELETED;
                marked.computeIfAbsent(predecessor, key -> new ArrayList<>())
                        .add(new Entry<>(entry.key(), entry.item(), mark));
            }
        }
        List<Entry<T>> all = new ArrayList<>(marked.getOrDefault(null, List.of()));
        for (Entry<T> entry : present) {
            all.add(entry);
            all.addAll(marked.getOrDefault(entry.key(), List.of()));
        }
        return all;
    }

    /** Returns the keys that were present and have kept their place: a longest increasing subsequence, by patience sorting. */
    private Set<List<String>> stayingKeys(List<List<String>> keys) {
        Map<List<String>, Integer> places = new HashMap<>();
        for (Entry<T> entry : shown) {
            if (entry.mark() == Mark.PRESENT) {
                places.put(entry.key(), places.size());
            }
        }
        List<List<String>> common = keys.stream().filter(places::containsKey).toList();
        int[] tails = new int[common.size()];
        int[] tailIndexes = new int[common.size()];
        int[] previous = new int[common.size()];
        int length = 0;
        for (int i = 0; i < common.size(); i++) {
            int place = Objects.requireNonNull(places.get(common.get(i)));
            int at = -(Arrays.binarySearch(tails, 0, length, place) + 1);
            tails[at] = place;
            tailIndexes[at] = i;
            previous[i] = at == 0 ? -1 : tailIndexes[at - 1];
            length = Math.max(length, at + 1);
        }
        Set<List<String>> staying = new HashSet<>();
        for (int i = length == 0 ? -1 : tailIndexes[length - 1]; i >= 0; i = previous[i]) {
            staying.add(common.get(i));
        }
        return staying;
    }

    List<LiveItem<T>> items() {
        return shown.stream()
                .filter(entry -> entry.item() != null)
                .map(entry -> new LiveItem<>(entry.item(), entry.mark()))
                .toList();
    }

    int waitingCount() {
        return waiting.size();
    }
}

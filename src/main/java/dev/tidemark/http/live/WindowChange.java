package dev.tidemark.http.live;

import dev.tidemark.http.json.JsonBytes;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The difference between two states of a window. Keys that both states have, and that a longest increasing subsequence
 * of their old places contains, stay; every other key of the new state is placed behind its predecessor. So the fewest
 * keys move. Of several such subsequences, the one with the most unchanged items stays, because a key that moves is
 * sent with its item.
 */
final class WindowChange {

    private final WindowState before;
    private final WindowState after;

    /** Of each key of the new state, whether it stays where it is. */
    private final boolean[] staying;

    /** Of each key of the old state, whether it stays where it is. */
    private final boolean[] kept;

    private WindowChange(WindowState before, WindowState after) {
        this.before = before;
        this.after = after;
        this.staying = new boolean[after.size()];
        this.kept = new boolean[before.size()];
    }

    static WindowChange between(WindowState before, WindowState after) {
        WindowChange change = new WindowChange(before, after);
        change.chooseStayingKeys();
        return change;
    }

    /**
     * Marks the heaviest increasing subsequence of the old places, with a Fenwick tree of prefix maxima. Each key
     * weighs as much as all items that can be unchanged together, plus 1 if its own item is unchanged. So the number
     * of keys counts first.
     */
    private void chooseStayingKeys() {
        int size = after.size();
        // Keys of the new state are numbered from 1; 0 stands for none.
        int[] weights = new int[size + 1];
        int[] previous = new int[size + 1];
        int[] heaviest = new int[before.size() + 1];
        int last = 0;
        for (int key = 1; key <= size; key++) {
            int place = before.indexOf(after.key(key - 1));
            if (place < 0) {
                continue;
            }
            for (int at = place; at > 0; at -= at & -at) {
                previous[key] = weights[heaviest[at]] > weights[previous[key]] ? heaviest[at] : previous[key];
            }
            boolean isUnchanged = before.hash(place) == after.hash(key - 1);
            weights[key] = weights[previous[key]] + size + (isUnchanged ? 1 : 0);
            for (int at = place + 1; at < heaviest.length; at += at & -at) {
                heaviest[at] = weights[key] > weights[heaviest[at]] ? key : heaviest[at];
            }
            last = weights[key] > weights[last] ? key : last;
        }
        for (int key = last; key > 0; key = previous[key]) {
            staying[key - 1] = true;
            kept[before.indexOf(after.key(key - 1))] = true;
        }
    }

    boolean isEmpty() {
        return before.hasMore() == after.hasMore()
                && before.hasPrevious() == after.hasPrevious()
                && before.size() == after.size()
                && itemCount() == 0;
    }

    /** The number of items in the event. */
    int itemCount() {
        int count = 0;
        for (int i = 0; i < staying.length; i++) {
            if (needsItem(i)) {
                count++;
            }
        }
        return count;
    }

    /** Whether the rows lack an item that the event needs. */
    boolean lacksItems(WindowRows rows) {
        for (int i = 0; i < staying.length; i++) {
            if (needsItem(i) && rows.item(i) == null) {
                return true;
            }
        }
        return false;
    }

    private boolean needsItem(int index) {
        return !staying[index] || after.hash(index) != before.hashOf(after.key(index));
    }

    /** Writes the members {@code removed}, {@code placed}, {@code items}, and, if it is needed, {@code oversized}. */
    void write(JsonBytes json, WindowRows rows) {
        json.raw("\"removed\":[");
        boolean first = true;
        for (int i = 0; i < kept.length; i++) {
            if (!kept[i]) {
                first = separate(json, first);
                key(json, before, i);
            }
        }
        json.raw("],\"placed\":[");
        first = true;
        for (int i = 0; i < staying.length; i++) {
            if (!staying[i]) {
                first = separate(json, first);
                key(json.raw('['), after, i);
                if (i == 0) {
                    json.raw(",null]");
                } else {
                    key(json.raw(','), after, i - 1);
                    json.raw(']');
                }
            }
        }
        json.raw("],\"items\":[");
        first = true;
        for (int i = 0; i < staying.length; i++) {
            if (needsItem(i)) {
                first = separate(json, first);
                json.raw(Objects.requireNonNull(rows.item(i)));
            }
        }
        json.raw(']');
        rows.writeOversized(json, this::needsItem);
    }

    private static boolean separate(JsonBytes json, boolean first) {
        if (!first) {
            json.raw(',');
        }
        return false;
    }

    private static void key(JsonBytes json, WindowState state, int index) {
        json.raw(state.key(index).getBytes(StandardCharsets.UTF_8));
    }
}

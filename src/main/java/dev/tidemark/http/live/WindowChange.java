package dev.tidemark.http.live;

import dev.tidemark.http.json.JsonBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * The difference between two states of a window. Keys that both states have, and that a longest increasing subsequence
 * of their old places contains, stay; every other key of the new state is placed behind its predecessor. So the fewest
 * keys move.
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

    /** Marks a longest increasing subsequence, by patience sorting. */
    private void chooseStayingKeys() {
        int[] places = new int[after.size()];
        int[] tails = new int[after.size()];
        int[] previous = new int[after.size()];
        int length = 0;
        for (int i = 0; i < places.length; i++) {
            places[i] = before.indexOf(after.key(i));
            if (places[i] < 0) {
                continue;
            }
            int at = length;
            if (length > 0 && places[tails[length - 1]] > places[i]) {
                int low = 0;
                at = length - 1;
                while (low < at) {
                    int middle = (low + at) >>> 1;
                    if (places[tails[middle]] < places[i]) {
                        low = middle + 1;
                    } else {
                        at = middle;
                    }
                }
            }
            tails[at] = i;
            previous[i] = at == 0 ? -1 : tails[at - 1];
            length = Math.max(length, at + 1);
        }
        for (int i = length == 0 ? -1 : tails[length - 1]; i >= 0; i = previous[i]) {
            staying[i] = true;
            kept[places[i]] = true;
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

    /** Writes the members {@code removed}, {@code placed}, and {@code items} of the event. */
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

    @Override
    public String toString() {
        return "WindowChange[kept " + Arrays.toString(kept) + ", staying " + Arrays.toString(staying) + ']';
    }
}

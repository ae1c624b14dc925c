package dev.tidemark.http.live;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a window holds at one moment: its keys as JSON, in the order of the list, and the hash and size of each item.
 * Immutable, so that streams that stand at the same state share it.
 */
public final class WindowState {

    private final List<String> keys;
    private final long[] hashes;
    private final int[] sizes;
    private final Map<String, Integer> indexes;
    private final boolean hasPrevious;
    private final boolean hasMore;

    WindowState(List<String> keys, long[] hashes, int[] sizes, boolean hasPrevious, boolean hasMore) {
        this.keys = keys;
        this.hashes = hashes;
        this.sizes = sizes;
        this.hasPrevious = hasPrevious;
        this.hasMore = hasMore;
        this.indexes = new HashMap<>(keys.size() * 2);
        for (int i = 0; i < hashes.length; i++) {
            indexes.put(keys.get(i), i);
        }
    }

    int size() {
        return hashes.length;
    }

    String key(int index) {
        return keys.get(index);
    }

    long hash(int index) {
        return hashes[index];
    }

    /** Returns the hash of the item with this key; any number if the window does not hold the key. */
    long hashOf(String key) {
        int index = indexOf(key);
        return index < 0 ? 0 : hashes[index];
    }

    /** Returns the number of bytes of the item with this key; 0 if the window does not hold the key. */
    int sizeOf(String key) {
        int index = indexOf(key);
        return index < 0 ? 0 : sizes[index];
    }

    /** @return -1 if the window does not hold the key */
    int indexOf(String key) {
        return indexes.getOrDefault(key, -1);
    }

    boolean hasPrevious() {
        return hasPrevious;
    }

    boolean hasMore() {
        return hasMore;
    }
}

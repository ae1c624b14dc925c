package dev.tidemark.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The part of a list that a client holds, at one moment. Immutable.
 *
 * @param keys the keys in the list's order
 * @param items the item of each key, except of a key whose item had disappeared again when the client read it
 */
record Window<T>(List<List<String>> keys, Map<List<String>, T> items) {

    static <T> Window<T> of(List<T> items, Function<T, List<String>> keyOf) {
        return new Window<>(List.of(), Map.<List<String>, T>of()).append(items, keyOf);
    }

    /** Returns the window with items behind the last one. Items that the window has stay where they are. */
    Window<T> append(Collection<T> added, Function<T, List<String>> keyOf) {
        List<List<String>> newKeys = new ArrayList<>(keys);
        Map<List<String>, T> newItems = new HashMap<>(items);
        for (T item : added) {
            List<String> key = keyOf.apply(item);
            if (newItems.putIfAbsent(key, item) == null && !keys.contains(key)) {
                newKeys.add(key);
            }
        }
        return new Window<>(List.copyOf(newKeys), newItems);
    }

    /**
     * Returns the window as a page shows it.
     *
     * @param known the items of this window and of the page
     */
    Window<T> replace(List<List<String>> newKeys, Map<List<String>, T> known) {
        Map<List<String>, T> used = new HashMap<>(known);
        used.keySet().retainAll(new HashSet<>(newKeys));
        return new Window<>(List.copyOf(newKeys), used);
    }

    /**
     * Returns the window after a change.
     *
     * @throws IllegalStateException if the change cannot be one of this window
     */
    Window<T> apply(WindowChange<T> change, Function<T, List<String>> keyOf) {
        Map<List<String>, T> changedItems = new HashMap<>();
        change.items().forEach(item -> changedItems.put(keyOf.apply(item), item));
        Set<List<String>> removed = new HashSet<>(change.removed());
        require(removed.size() == change.removed().size(), "removes a key twice");
        // Of each key, the key behind it. The first key is behind null.
        Map<List<String>, List<String>> next = new HashMap<>();
        List<String> tail = null;
        int kept = 0;
        for (List<String> key : keys) {
            if (!removed.contains(key)) {
                next.put(tail, key);
                tail = key;
                kept++;
            }
        }
        next.put(tail, null);
        require(keys.size() - kept == removed.size(), "removes a key that the window does not have");
        for (WindowChange.Placement placement : change.placed()) {
            require(!next.containsKey(placement.key()), "places a key that the window has");
            require(next.containsKey(placement.after()), "places a key behind one that the window does not have");
            require(changedItems.containsKey(placement.key()), "places a key without its item");
            next.put(placement.key(), next.get(placement.after()));
            next.put(placement.after(), placement.key());
        }
        require(next.keySet().containsAll(changedItems.keySet()), "has an item that the window does not have");
        List<List<String>> newKeys = new ArrayList<>(next.size());
        for (List<String> key = next.get(null); key != null; key = next.get(key)) {
            newKeys.add(key);
        }
        Map<List<String>, T> newItems = new HashMap<>(items);
        newItems.putAll(changedItems);
        return replace(newKeys, newItems);
    }

    private static void require(boolean holds, String fault) {
        if (!holds) {
            throw new IllegalStateException("the server sent a change that " + fault);
        }
    }
}

package dev.tidemark.client;

import java.util.List;

/**
 * A page that was requested with {@code since}.
 *
 * @param keys the keys of all items of the page, in the list's order. A key is a list of the values of its columns, as
 *     text
 * @param page the page, whose items are only those that were written since
 */
record Delta<T>(List<List<String>> keys, Page<T> page) {

    static <T> Delta<T> parse(String json, ItemMapper<T> mapper) {
        return new Delta<>(Page.parseKeys(json), Page.parse(json, mapper));
    }
}

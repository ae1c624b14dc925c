package dev.tidemark.client;

import java.util.List;
import java.util.stream.Stream;

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

    /**
     * Returns this page of a search and the one behind it as one page. It has the moment of this page, so that what
     * has moved from one to the other meanwhile counts as written since.
     */
    Delta<T> append(Delta<T> next) {
        return new Delta<>(
                Stream.concat(keys.stream(), next.keys.stream()).distinct().toList(),
                new Page<>(
                        Stream.concat(page.items().stream(), next.page.items().stream())
                                .toList(),
                        next.page.next(),
                        page.prev(),
                        page.top(),
                        next.page.last(),
                        page.limit(),
                        page.count(),
                        page.moment(),
                        next.page.partial()));
    }
}

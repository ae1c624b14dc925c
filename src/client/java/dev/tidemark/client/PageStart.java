package dev.tidemark.client;

import java.util.List;
import java.util.Optional;

/** Where a page starts, and where a scroll that begins with this page ends. Immutable. */
public final class PageStart {

    private static final PageStart FIRST = new PageStart("", List.of(), Optional.empty());

    private final String parameter;
    private final List<String> values;
    private final Optional<String> until;

    private PageStart(String parameter, List<String> values, Optional<String> until) {
        this.parameter = parameter;
        this.values = values;
        this.until = until;
    }

    /**
     * Returns the start of the first page of the list.
     *
     * @return the start
     */
    public static PageStart first() {
        return FIRST;
    }

    /**
     * Returns the start of the page that a cursor leads to.
     *
     * @param cursor any cursor of any page of the same list. A cursor includes its direction
     * @return the start
     */
    public static PageStart cursor(String cursor) {
        return at("cursor", cursor);
    }

    /**
     * Returns the start of the page that starts with the first item at or beyond a value of the order's first column.
     *
     * @param value a value in the form that it has in the JSON of an item, such as {@code 2026-01-16T10:00:00Z}
     * @return the start
     */
    public static PageStart from(String value) {
        return at("from", value);
    }

    /**
     * Returns the start of the page around a value of the order's first column.
     *
     * @param value a value in the form that it has in the JSON of an item
     * @return the start
     */
    public static PageStart around(String value) {
        return at("around", value);
    }

    /**
     * Returns the start of the page that starts with an item.
     *
     * @param key the item's key: one value for each column of the key
     * @return the start
     */
    public static PageStart fromId(String... key) {
        return at("from_id", key);
    }

    /**
     * Returns the start of the page around an item.
     *
     * @param key the item's key: one value for each column of the key
     * @return the start
     */
    public static PageStart aroundId(String... key) {
        return at("around_id", key);
    }

    /**
     * Returns the same start with an end: a scroll from this start ends at the given cursor. The start must be
     * {@link #first} or a forward cursor.
     *
     * @param cursor a cursor of the same list, of either direction, such as {@link Page#top} of an earlier page
     * @return the start
     */
    public PageStart until(String cursor) {
        return new PageStart(parameter, values, Optional.of(cursor));
    }

    /** Returns the start of the page that follows a page of this scroll, if there is one. */
    Optional<PageStart> after(Page<?> page) {
        return page.next().map(cursor -> new PageStart("cursor", List.of(cursor), until));
    }

    void addTo(QueryString query) {
        query.add(parameter, values);
        until.ifPresent(cursor -> query.add("until", List.of(cursor)));
    }

    private static PageStart at(String parameter, String... values) {
        return new PageStart(parameter, List.of(values), Optional.empty());
    }
}

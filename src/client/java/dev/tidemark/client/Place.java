package dev.tidemark.client;

import java.util.List;
import java.util.Optional;

/** Where a page begins, and where a walk that starts with this page ends. Immutable. */
public final class Place {

    private static final Place START = new Place("", List.of(), Optional.empty());

    private final String parameter;
    private final List<String> values;
    private final Optional<String> until;

    private Place(String parameter, List<String> values, Optional<String> until) {
        this.parameter = parameter;
        this.values = values;
        this.until = until;
    }

    /**
     * Returns the place of the first page of the list.
     *
     * @return the place
     */
    public static Place start() {
        return START;
    }

    /**
     * Returns the place of the page that a cursor leads to. It can be any cursor of any page of the same list.
     *
     * @param cursor the cursor, which includes its direction
     * @return the place
     */
    public static Place cursor(String cursor) {
        return at("cursor", cursor);
    }

    /**
     * Returns the place of the page that starts with the first item at or beyond a value of the order's first column.
     *
     * @param value as in JSON, such as {@code 2026-01-16T10:00:00Z}
     * @return the place
     */
    public static Place from(String value) {
        return at("from", value);
    }

    /**
     * Returns the place of the page around a value of the order's first column.
     *
     * @param value as in JSON
     * @return the place
     */
    public static Place around(String value) {
        return at("around", value);
    }

    /**
     * Returns the place of the page that starts with an item.
     *
     * @param key the item's key: one value for each of its columns
     * @return the place
     */
    public static Place fromId(String... key) {
        return at("from_id", key);
    }

    /**
     * Returns the place of the page around an item.
     *
     * @param key the item's key: one value for each of its columns
     * @return the place
     */
    public static Place aroundId(String... key) {
        return at("around_id", key);
    }

    /**
     * Returns the same place with an end: a walk from this place ends at a cursor, such as an earlier {@link Page#top}.
     * The place must be {@link #start} or a forward cursor.
     *
     * @param cursor a cursor of the same list, of either direction
     * @return the place
     */
    public Place until(String cursor) {
        return new Place(parameter, values, Optional.of(cursor));
    }

    /** The place after a page of this walk, if there is one. */
    Optional<Place> after(Page<?> page) {
        return page.next().map(cursor -> new Place("cursor", List.of(cursor), until));
    }

    void addTo(QueryString query) {
        query.add(parameter, values);
        until.ifPresent(cursor -> query.add("until", List.of(cursor)));
    }

    private static Place at(String parameter, String... values) {
        return new Place(parameter, List.of(values), Optional.empty());
    }
}

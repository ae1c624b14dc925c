package dev.tidemark.refresh;

import dev.tidemark.refresh.Row.Key;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The part of a list that a client keeps. It starts at the top or below a position, and ends at another position or at
 * the end of the list; or it contains all items above a position.
 *
 * @param condition the filter as SQL
 * @param backward whether the range contains the items above the start, which are read backward, page by page
 */
record ListRange(
        String table,
        Order order,
        String filter,
        String condition,
        boolean backward,
        Optional<Place> start,
        Optional<Place> end) {

    /** A bookmark and the row it belongs to. */
    record Place(String cursor, Row row) {}

    ListRange until(Place place) {
        return new ListRange(table, order, filter, condition, backward, start, Optional.of(place));
    }

    /** The orders of the feeds, restated as SQL. */
    enum Order {
        NEWEST("at", true),
        PLACE("place", false),
        EDITED("at", true);

        private final String column;
        private final boolean descending;

        Order(String column, boolean descending) {
            this.column = column;
            this.descending = descending;
        }

        String orderBy() {
            return Stream.of(column, "region", "id")
                    .map(name -> name + (descending ? " desc" : ""))
                    .collect(Collectors.joining(", "));
        }

        String conditionBeyond(Row row, boolean backward, boolean inclusive) {
            String value = column.equals("at") ? '\'' + row.at().toString() + '\'' : "" + row.place();
            return "(" + column + ", region, id) " + (descending != backward ? "<" : ">") + (inclusive ? "=" : "")
                    + " (" + value + ", '" + row.region() + "', " + row.id() + ")";
        }
    }

    String target() {
        return "/api/" + table + "?order=" + order.name().toLowerCase(Locale.ROOT) + filter;
    }

    /** The path and query string of the first page of this range. */
    String firstTarget() {
        return target()
                + start.map(place -> "&cursor=" + place.cursor()).orElse("")
                + end.map(place -> "&until=" + place.cursor()).orElse("");
    }

    String nextTarget(String cursor) {
        return target() + "&cursor=" + cursor
                + end.map(place -> "&until=" + place.cursor()).orElse("");
    }

    /** The rows that the range contains now, in the list's order. */
    List<Row> read(Connection database) throws SQLException {
        return rows(database, where() + " order by " + order.orderBy());
    }

    /** The versions of all rows, visible or not. */
    Map<Key, Long> allVersions(Connection database) throws SQLException {
        return versions(database, "true");
    }

    /** The versions of the rows in this range. */
    Map<Key, Long> versionsInRange(Connection database) throws SQLException {
        return versions(database, where());
    }

    private String where() {
        return "not hidden and " + condition
                + start.map(place -> " and " + order.conditionBeyond(place.row(), backward, false))
                        .orElse("")
                + end.map(place -> " and " + order.conditionBeyond(place.row(), true, true))
                        .orElse("");
    }

    private Map<Key, Long> versions(Connection database, String where) throws SQLException {
        Map<Key, Long> versions = new HashMap<>();
        try (var statement = database.createStatement();
                ResultSet read =
                        statement.executeQuery("select region, id, version from " + table + " where " + where)) {
            while (read.next()) {
                versions.put(new Key(read.getString(1), read.getLong(2)), read.getLong(3));
            }
        }
        return versions;
    }

    private List<Row> rows(Connection database, String where) throws SQLException {
        String extra = table.equals("copies") ? "''" : "extra";
        List<Row> rows = new ArrayList<>();
        try (var statement = database.createStatement();
                ResultSet read = statement.executeQuery("select region, id, at, place, version, body, " + extra
                        + ", (select s.label from shelves s where s.place = " + table + ".place) from " + table
                        + " where " + where)) {
            while (read.next()) {
                rows.add(new Row(
                        read.getString(1),
                        read.getLong(2),
                        read.getObject(3, OffsetDateTime.class).toInstant(),
                        read.getInt(4),
                        read.getLong(5),
                        read.getString(6),
                        read.getString(7),
                        read.getString(8)));
            }
        }
        return rows;
    }
}

package dev.tidemark.http.query;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.feed.value.EpochTime;
import dev.tidemark.feed.value.InvalidValueException;
import dev.tidemark.feed.value.ValueParser;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** A position in a list that a request specifies by a value or an item instead of a cursor. */
public sealed interface Jump extends Start {

    /** The one of {@link ParameterNames#JUMPS} that was sent. */
    String parameter();

    /** Whether the page also shows items before the position. */
    default boolean isAround() {
        return parameter().startsWith("around");
    }

    /** @param value a value of the order's first key, in PostgreSQL's text form */
    record ToValue(String parameter, String value) implements Jump {
        @Override
        public String toString() {
            return "ToValue[" + parameter + ']';
        }
    }

    /** @param key a value for each column of the feed's key, in the key's order */
    record ToItem(String parameter, List<String> key) implements Jump {
        @Override
        public String toString() {
            return "ToItem[" + parameter + ']';
        }
    }

    /**
     * @param parameter the one of {@link ParameterNames#JUMPS} that was sent
     * @throws Problem {@code invalid_anchor} if a value is invalid or missing; {@code anchor_not_found} if no item can
     *     have the key; {@code conflicting_parameters} if several values were sent where one is expected
     */
    static Jump parse(String parameter, QueryString query, Feed feed, Order order) {
        List<String> values = Objects.requireNonNull(query.parameters().get(parameter));
        if (!parameter.endsWith("_id")) {
            return new ToValue(
                    parameter, parseAnchor(parameter, order.keys().get(0), QueryString.onlyValue(parameter, values)));
        }
        List<Column> key = feed.relation().key();
        if (key.size() == 1) {
            return new ToItem(
                    parameter, List.of(parseKey(parameter, key.get(0), QueryString.onlyValue(parameter, values))));
        }
        if (values.size() != key.size()) {
            throw invalid(
                    parameter,
                    "must be sent once for each column of the key: "
                            + String.join(", ", key.stream().map(Column::name).toList()));
        }
        List<String> parsedKey = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            parsedKey.add(parseKey(parameter, key.get(i), values.get(i)));
        }
        return new ToItem(parameter, parsedKey);
    }

    /**
     * Returns the value to start at. The time of a column of whole numbers can lie between two of them; the list then
     * starts with the next one in its direction. A time beyond all numbers is the last one.
     */
    private static String parseAnchor(String parameter, OrderKey key, String text) {
        return parse(parameter, key.column(), () -> {
            if (!(key.column().type() instanceof EpochType epoch)) {
                return ValueParser.parse(key.column(), text);
            }
            EpochTime time = EpochTime.parse(epoch, text);
            return Long.toString(
                    key.descending()
                            ? time.atOrBefore().orElse(Long.MIN_VALUE)
                            : time.atOrAfter().orElse(Long.MAX_VALUE));
        });
    }

    private static String parseKey(String parameter, Column column, String text) {
        return parse(parameter, column, () -> {
            if (!(column.type() instanceof EpochType epoch)) {
                return ValueParser.parse(column, text);
            }
            return EpochTime.parse(epoch, text).exact().stream()
                    .mapToObj(Long::toString)
                    .findFirst()
                    .orElseThrow(() -> Problem.ofParameter(
                            parameter, ProblemCode.ANCHOR_NOT_FOUND, "this list has no item with this key"));
        });
    }

    private static String parse(String parameter, Column column, Supplier<String> parser) {
        try {
            return parser.get();
        } catch (InvalidValueException e) {
            throw invalid(parameter, "is not a value of " + column.name() + ": " + e.getMessage());
        }
    }

    private static Problem invalid(String parameter, String why) {
        return Problem.ofParameter(parameter, ProblemCode.INVALID_ANCHOR, parameter + ' ' + why);
    }
}

package dev.tidemark.http.query;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.value.ValueParser;
import dev.tidemark.feed.value.ValueRefused;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import java.util.ArrayList;
import java.util.List;

/** One of the parameters that jump, as it came: what it means depends on the order, which is another parameter. */
record JumpParameter(String name, List<String> values) {

    static final List<String> NAMES = List.of("from", "around", "from_id", "around_id");

    /** @throws Problem {@code invalid_anchor}, or {@code conflicting_parameters} for two values where one is meant */
    Jump read(Feed feed, Order order) {
        boolean around = name.startsWith("around");
        if (!name.endsWith("_id")) {
            if (values.size() > 1) {
                throw repeated();
            }
            return new Jump.ToValue(parse(order.keys().get(0).column(), values.get(0)), around);
        }
        List<Column> key = feed.relation().key();
        if (values.size() > 1 && key.size() == 1) {
            throw repeated();
        }
        if (values.size() != key.size()) {
            throw refuse("comes once for each column of the key: "
                    + String.join(", ", key.stream().map(Column::name).toList()));
        }
        List<String> read = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            read.add(parse(key.get(i), values.get(i)));
        }
        return new Jump.ToItem(read, around);
    }

    private String parse(Column column, String value) {
        try {
            return ValueParser.parse(column, value);
        } catch (ValueRefused e) {
            throw refuse("is a value of " + column.name() + ", and cannot be read: " + e.getMessage());
        }
    }

    private Problem repeated() {
        return Problem.with(
                name,
                ProblemCode.CONFLICTING_PARAMETERS,
                name + " has one value, and came " + values.size() + " times");
    }

    private Problem refuse(String why) {
        return Problem.with(name, ProblemCode.INVALID_ANCHOR, name + ' ' + why);
    }
}

package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.OrderKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What stands in an index before an order, so that it serves the order where those columns are tested for one value each. */
final class IndexBeginnings {

    private IndexBeginnings() {}

    /**
     * The ways in which an index can begin with these columns: each may come first, and in any direction, for within one
     * value it makes no difference.
     */
    static List<List<OrderKey>> with(List<Column> columns) {
        List<List<OrderKey>> beginnings = new ArrayList<>();
        for (int first = 0; first < Math.max(1, columns.size()); first++) {
            List<Column> turned = new ArrayList<>(columns);
            Collections.rotate(turned, -first);
            List<List<OrderKey>> begun = List.of(List.of());
            for (Column column : turned) {
                begun = begun.stream()
                        .flatMap(keys -> placements(column).map(key -> Stream.concat(keys.stream(), Stream.of(key))
                                .toList()))
                        .toList();
            }
            beginnings.addAll(begun);
        }
        return beginnings;
    }

    private static Stream<OrderKey> placements(Column column) {
        Stream<OrderKey> plain = Stream.of(new OrderKey(column, false, false), new OrderKey(column, true, true));
        return column.nullable()
                ? Stream.concat(plain, Stream.of(new OrderKey(column, true, false), new OrderKey(column, false, true)))
                : plain;
    }

    /** An order behind what its index begins with. */
    static List<OrderKey> led(List<OrderKey> leading, Order order) {
        Set<Column> led = leading.stream().map(OrderKey::column).collect(Collectors.toSet());
        return Stream.concat(leading.stream(), order.keys().stream().filter(key -> !led.contains(key.column())))
                .toList();
    }
}

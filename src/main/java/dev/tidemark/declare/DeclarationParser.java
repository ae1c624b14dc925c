package dev.tidemark.declare;

import dev.tidemark.declare.FeedDeclaration.OrderTerm;
import dev.tidemark.declare.FeedDeclaration.Orders;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.Feed.Policy;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.naming.NearestName;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Parses the properties of one feed. An invalid property is recorded as a fault, and parsing continues. */
final class DeclarationParser {

    static final String NOTIFY_ON = "notify-on";
    static final String DERIVED = "derived";

    private static final int MAX_NAME_BYTES = 63;

    private final String name;
    private final FeedProperties properties;
    private final Faults.FeedFaults faults;

    DeclarationParser(String name, FeedProperties properties, Faults.FeedFaults faults) {
        this.name = name;
        this.properties = properties;
        this.faults = faults;
    }

    FeedDeclaration parse() {
        Policy policy = new PolicyParser(properties, faults).parse();
        FeedDeclaration declaration = new FeedDeclaration(
                name,
                properties
                        .text("table")
                        .orElseGet(() -> reportMissing("table", "specify the table or view of the feed")),
                columnNames("key"),
                columns(),
                derived(),
                epochs(),
                new EmbedParser(properties, faults).parse(),
                notifyOn(),
                orders(),
                filters(),
                columnNames("counts"),
                searchColumns(),
                visible(),
                policy,
                new AccessParser(properties, faults).parse(policy));
        properties.unreadProperties().forEach(faults::add);
        return declaration;
    }

    /**
     * Returns the condition. An empty condition is a fault and does not select all rows, because its text may have
     * been lost.
     */
    private Optional<String> visible() {
        if (properties.isBlank("visible")) {
            faults.add("visible", "must not be empty; omit it to show all rows");
        }
        return properties.text("visible");
    }

    private String reportMissing(String property, String hint) {
        faults.add(property, "is missing: " + hint);
        return "";
    }

    /**
     * Returns the columns. An empty list is a fault and does not select all columns, because its text may have been
     * lost.
     */
    private List<String> columns() {
        List<String> columns = columnNames("columns");
        if (columns.stream().allMatch(String::isEmpty) && properties.isPresent("columns")) {
            properties.markRead("columns");
            faults.add("columns", "must be a list of at least one column; omit it to show all columns");
        }
        return columns;
    }

    private List<String> columnNames(String property) {
        List<String> names = properties.items(property);
        if (Set.copyOf(names).size() < names.size()) {
            faults.add(property, "lists a column twice");
        }
        return names;
    }

    private List<String> notifyOn() {
        List<String> tables = properties.list(NOTIFY_ON);
        if (Set.copyOf(tables).size() < tables.size()) {
            faults.add(NOTIFY_ON, "lists a table twice");
        } else if (tables.isEmpty() && properties.isPresent(NOTIFY_ON)) {
            properties.childrenOf(NOTIFY_ON);
            faults.add(NOTIFY_ON, "must be a list of tables, such as [public.posts]; omit it if there are none");
        }
        return tables;
    }

    private List<String> searchColumns() {
        boolean isMap =
                properties.addFaultUnlessMap(PolicyParser.SEARCH, "a map, such as {columns: [subject, body]}", faults);
        List<String> columns = properties.list(PolicyParser.SEARCH, "columns");
        if (Set.copyOf(columns).size() < columns.size()) {
            faults.add("search.columns", "lists a column twice");
        } else if (columns.isEmpty() && isMap && properties.isPresent(PolicyParser.SEARCH)) {
            reportMissing("search.columns", "list the text columns that clients may search");
        }
        return columns;
    }

    private Map<String, String> derived() {
        properties.addFaultUnlessMap(
                DERIVED, "a map of names, such as activity: coalesce(edited_at, created_at)", faults);
        Map<String, String> derived = new LinkedHashMap<>();
        for (String column : new TreeSet<>(properties.namesBelow(DERIVED))) {
            String property = DERIVED + '.' + column;
            Optional<String> expression = properties.text(DERIVED, column);
            if (ParameterNames.RESERVED.contains(column)) {
                faults.add(property, "a derived column must not have the name of a parameter");
            } else if (column.contains(",") || column.contains(".")) {
                faults.add(property, "a derived column's name must not contain a comma or a dot");
            } else if (column.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
                faults.add(property, "a derived column's name must not be longer than those of PostgreSQL, 63 bytes");
            } else if (expression.isEmpty()) {
                faults.add(property, "must be an SQL expression over columns of the table");
            }
            expression.ifPresent(sql -> derived.put(column, sql));
        }
        return derived;
    }

    private Map<String, EpochType.Unit> epochs() {
        properties.addFaultUnlessMap("epoch", "a map of columns, such as created_ms: ms", faults);
        Map<String, EpochType.Unit> epochs = new LinkedHashMap<>();
        for (String column : new TreeSet<>(properties.namesBelow("epoch"))) {
            String property = "epoch." + column;
            List<String> units = properties.list("epoch", column);
            if (units.size() == 1) {
                faults.parseConstant(EpochType.Unit.class, units.get(0), property)
                        .ifPresent(unit -> epochs.put(column, unit));
            } else {
                faults.add(property, "must have one unit; the units are " + Faults.constantNames(EpochType.Unit.class));
            }
        }
        return epochs;
    }

    private Orders orders() {
        Map<String, List<OrderTerm>> terms = new LinkedHashMap<>();
        for (String order : new TreeSet<>(properties.namesBelow("orders"))) {
            List<String> listed = properties.list("orders", order);
            String text = properties.text("orders", order).orElseGet(() -> String.join(",", listed));
            Optional<List<OrderTerm>> parsed = OrderSyntax.parse(text);
            if (parsed.isEmpty()) {
                faults.add(
                        "orders." + order,
                        "'" + text + "' is not a valid order; an example is: created_at desc nulls last, \"Odd Name\"");
            } else if (parsed.get().stream().map(OrderTerm::column).distinct().count()
                    < parsed.get().size()) {
                faults.add("orders." + order, "lists a column twice");
            }
            terms.put(order, parsed.orElse(List.of()));
        }
        boolean isMap =
                properties.addFaultUnlessMap("orders", "a map of order names, such as newest: created_at desc", faults);
        if (terms.isEmpty() && isMap) {
            reportMissing("orders", "declare at least one, such as newest: created_at desc");
        }
        Set<String> live = new TreeSet<>(properties.list("live-orders"));
        live.stream()
                .filter(order -> !terms.containsKey(order))
                .forEach(order -> faults.add("live-orders", noSuchOrder(order, terms.keySet())));
        return new Orders(terms, defaultOrder(terms.keySet()), live);
    }

    private static String noSuchOrder(String order, Set<String> orders) {
        return "there is no order '" + order + "'" + NearestName.hint(order, orders);
    }

    private String defaultOrder(Set<String> orders) {
        Optional<String> declared = properties.text("default-order");
        if (declared.isEmpty() && orders.size() > 1) {
            reportMissing("default-order", "required if there is more than one order");
        }
        declared.filter(order -> !orders.contains(order))
                .ifPresent(order -> faults.add("default-order", noSuchOrder(order, orders)));
        return declared.orElseGet(() -> orders.stream().findFirst().orElse(""));
    }

    private Map<String, Set<Filter.Kind>> filters() {
        properties.addFaultUnlessMap("filters", "a map of columns, such as status: equals", faults);
        Map<String, Set<Filter.Kind>> filters = new LinkedHashMap<>();
        for (String column : new TreeSet<>(properties.namesBelow("filters"))) {
            Set<Filter.Kind> kinds = EnumSet.noneOf(Filter.Kind.class);
            for (String kind : properties.list("filters", column)) {
                faults.parseConstant(Filter.Kind.class, kind, "filters." + column)
                        .ifPresent(kinds::add);
            }
            if (ParameterNames.RESERVED.contains(column)) {
                faults.add("filters." + column, "a filter column must not have the name of a parameter");
            } else if (column.contains(".")) {
                faults.add("filters." + column, "a filter column's name must not contain a dot");
            } else if (kinds.isEmpty() && properties.list("filters", column).isEmpty()) {
                faults.add(
                        "filters." + column, "has no kind; the kinds are " + Faults.constantNames(Filter.Kind.class));
            }
            filters.put(column, kinds);
        }
        return filters;
    }
}

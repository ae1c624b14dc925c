package dev.tidemark.declare;

import dev.tidemark.declare.FeedDeclaration.OrderTerm;
import dev.tidemark.declare.FeedDeclaration.Orders;
import dev.tidemark.feed.Feed.Count;
import dev.tidemark.feed.Feed.Limits;
import dev.tidemark.feed.Feed.Policy;
import dev.tidemark.feed.Feed.Universal;
import dev.tidemark.feed.Filter;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads one feed's properties; whatever is wrong becomes a fault, and reading goes on. */
final class DeclarationParser {

    /** The most items a page may be declared to hold. */
    static final int LARGEST_PAGE = 1000;

    /** Parameters of the HTTP interfaces, which a filter column must not be named like. */
    private static final Set<String> PARAMETERS = Set.of(
            "limit",
            "cursor",
            "order",
            "fields",
            "from",
            "around",
            "from_id",
            "around_id",
            "until",
            "count",
            "offset",
            "page",
            "skip",
            "after",
            "before");

    private static final int MOST_COUNTED = 10_000_000;

    private final String name;
    private final Properties properties;
    private final Faults.OfFeed faults;

    DeclarationParser(String name, Properties properties, Faults.OfFeed faults) {
        this.name = name;
        this.properties = properties;
        this.faults = faults;
    }

    FeedDeclaration parse() {
        FeedDeclaration declaration = new FeedDeclaration(
                name,
                properties.text("table").orElseGet(() -> missing("table", "the table or view the feed is over")),
                distinct("key"),
                distinct("columns"),
                orders(),
                filters(),
                visible(),
                new Policy(limits(), count(), cacheControl(), universal()));
        for (String restriction : List.of("scope", "roles")) {
            if (!properties.list(restriction).isEmpty()
                    || !properties.namesBelow(restriction).isEmpty()) {
                properties.namesBelow(restriction).forEach(below -> properties.text(restriction, below));
                faults.add(restriction, "restricted feeds cannot be served by this version");
            }
        }
        properties.unread().forEach(path -> faults.add(path, "unknown property"));
        return declaration;
    }

    /** An empty condition is no "all rows": what should stand there may have been lost. */
    private Optional<String> visible() {
        if (properties.isBlank("visible")) {
            faults.add("visible", "is empty; leave it out to show all rows");
        }
        return properties.text("visible");
    }

    private String cacheControl() {
        String value = properties.text("cache-control").orElse("private, no-cache");
        if (value.chars().anyMatch(c -> c < ' ' || c > '~')) {
            faults.add("cache-control", "is a header's value, in printable ASCII");
        }
        return value;
    }

    private String missing(String property, String what) {
        faults.add(property, "is missing: " + what);
        return "";
    }

    /** Whether a property that has names below it was given a value or a list. */
    private boolean isScalar(String property, String right) {
        boolean scalar = !properties.list(property).isEmpty();
        if (scalar) {
            faults.add(property, "is " + right + ", and no value or list itself");
        }
        return scalar;
    }

    private List<String> distinct(String property) {
        List<String> names = properties.list(property);
        if (Set.copyOf(names).size() < names.size()) {
            faults.add(property, "names a column twice");
        }
        return names;
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
                        "'" + text + "' is no order; one is: created_at desc nulls last, \"Odd Name\"");
            } else if (parsed.get().stream().map(OrderTerm::column).distinct().count()
                    < parsed.get().size()) {
                faults.add("orders." + order, "names a column twice");
            }
            terms.put(order, parsed.orElse(List.of()));
        }
        if (terms.isEmpty() && !isScalar("orders", "a name for each order, such as newest: created_at desc")) {
            missing("orders", "at least one, such as newest: created_at desc");
        }
        Set<String> live = new TreeSet<>(properties.list("live-orders"));
        live.stream()
                .filter(order -> !terms.containsKey(order))
                .forEach(order -> faults.add("live-orders", "there is no order '" + order + "'"));
        return new Orders(terms, defaultOrder(terms.keySet()), live);
    }

    private String defaultOrder(Set<String> orders) {
        Optional<String> declared = properties.text("default-order");
        if (declared.isEmpty() && orders.size() > 1) {
            missing("default-order", "needed when there is more than one order");
        }
        declared.filter(order -> !orders.contains(order))
                .ifPresent(order -> faults.add("default-order", "there is no order '" + order + "'"));
        return declared.orElseGet(() -> orders.stream().findFirst().orElse(""));
    }

    private Map<String, Set<Filter.Kind>> filters() {
        isScalar("filters", "a column for each filter, such as status: equals");
        Map<String, Set<Filter.Kind>> filters = new LinkedHashMap<>();
        for (String column : new TreeSet<>(properties.namesBelow("filters"))) {
            Set<Filter.Kind> kinds = EnumSet.noneOf(Filter.Kind.class);
            for (String kind : properties.list("filters", column)) {
                constant(Filter.Kind.class, kind, "filters." + column).ifPresent(kinds::add);
            }
            if (PARAMETERS.contains(column)) {
                faults.add("filters." + column, "a filter column must not be named like a parameter");
            } else if (column.contains(".")) {
                faults.add("filters." + column, "a filter column's name must not contain a dot");
            } else if (kinds.isEmpty() && properties.list("filters", column).isEmpty()) {
                faults.add("filters." + column, "is of no kind; the kinds are " + names(Filter.Kind.class));
            }
            filters.put(column, kinds);
        }
        return filters;
    }

    private Limits limits() {
        int max = number("limit.max", 100, LARGEST_PAGE, "limit", "max");
        int byDefault = number("limit.default", Math.min(30, max), max, "limit", "default");
        int web = number("limit.web-default", Math.min(50, max), max, "limit", "web-default");
        return new Limits(byDefault, web, max);
    }

    private Count count() {
        Count.Precision most = properties
                .text("count")
                .flatMap(text -> constant(Count.Precision.class, text, "count"))
                .orElse(Count.Precision.NONE);
        return new Count(most, number("count-cap", 10_000, MOST_COUNTED, "count-cap"));
    }

    private Universal universal() {
        Universal.Strategy strategy = properties
                .text("universal", "strategy")
                .flatMap(text -> constant(Universal.Strategy.class, text, "universal.strategy"))
                .orElse(Universal.Strategy.CURSOR);
        String backward = properties.text("universal", "backward").orElse("true");
        if (!backward.equals("true") && !backward.equals("false")) {
            faults.add("universal.backward", "is true or false");
        }
        return new Universal(strategy, backward.equals("true"));
    }

    private int number(String property, int byDefault, int most, String... path) {
        Optional<String> text = properties.text(path);
        if (text.isEmpty()) {
            return byDefault;
        }
        if (text.get().matches("\\d{1,9}")) {
            int value = Integer.parseInt(text.get());
            if (value >= 1 && value <= most) {
                return value;
            }
        }
        faults.add(property, "is a whole number from 1 to " + most);
        return byDefault;
    }

    private <E extends Enum<E>> Optional<E> constant(Class<E> type, String text, String property) {
        Optional<E> constant = Stream.of(type.getEnumConstants())
                .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst();
        if (constant.isEmpty()) {
            faults.add(property, "'" + text + "' is none of " + names(type));
        }
        return constant;
    }

    private static <E extends Enum<E>> String names(Class<E> type) {
        return Stream.of(type.getEnumConstants())
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }
}

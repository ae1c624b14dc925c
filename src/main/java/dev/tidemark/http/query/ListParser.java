package dev.tidemark.http.query;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.naming.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Parses the parameters that all endpoints of a feed share: the order, the filters, and the search. Together with
 * the caller's scope, they make up the list state. Rejects every parameter that belongs to neither the list nor the
 * endpoint. Each feed has one parser.
 */
public final class ListParser {

    private static final String NO_OFFSETS =
            "pages are requested by cursor, because an offset repeats or skips items when the list changes,"
                    + " and makes deep pages slow; follow next_cursor";

    /**
     * The parameters that an endpoint has in addition to those of a list, and how it rejects offsets.
     *
     * @param parameters the parameters that the endpoint parses itself; if several of them are equally near to an
     *     unknown name, the first one is suggested
     * @param explainsOffsets whether the endpoint rejects offsets with an explanation
     * @param isOrdered whether the lists of the endpoint have an order, which is a parameter
     * @param unsupported parameters of pages that the endpoint does not support, each with the reason
     */
    public record Endpoint(
            Set<String> parameters, boolean explainsOffsets, boolean isOrdered, Map<String, String> unsupported) {

        /** Creates an endpoint that pages by cursor, and therefore rejects offsets with an explanation. */
        public static Endpoint withCursors(List<String> parameters) {
            return new Endpoint(new LinkedHashSet<>(parameters), true, true, Map.of());
        }

        public static Endpoint of(List<String> parameters) {
            return new Endpoint(new LinkedHashSet<>(parameters), false, true, Map.of());
        }

        /** Creates an endpoint of whole lists, of whose parameters it takes only the filters. */
        public static Endpoint withoutOrder(List<String> parameters) {
            return new Endpoint(new LinkedHashSet<>(parameters), false, false, Map.of());
        }

        /** Returns this endpoint with another parameter that it does not support. */
        public Endpoint without(String parameter, String reason) {
            Map<String, String> reasons = new LinkedHashMap<>(unsupported);
            reasons.put(parameter, reason);
            return new Endpoint(parameters, explainsOffsets, isOrdered, reasons);
        }

        private void rejectUnsupported(QueryString query) {
            unsupported.forEach((name, reason) -> {
                if (query.parameters().containsKey(name)) {
                    throw Problem.ofParameter(name, ProblemCode.NOT_SUPPORTED, reason);
                }
            });
        }
    }

    private final Feed feed;
    private final Map<String, FilterParameter> filters = new LinkedHashMap<>();

    /**
     * List states without conditions, by the names of their orders. Most requests are for one of these list states.
     */
    private final Map<String, ListState> unfilteredLists = new ConcurrentHashMap<>();

    public ListParser(Feed feed) {
        this.feed = feed;
        for (Filter filter : feed.filters().values()) {
            for (Filter.Operator operator : filter.operators()) {
                FilterParameter parameter = new FilterParameter(filter.column(), operator);
                filters.put(parameter.name(), parameter);
            }
        }
    }

    /** @throws Problem for the first parameter that is not supported, is unknown, or has an invalid value */
    public ListState parse(QueryString query, Caller caller, Endpoint endpoint) {
        endpoint.rejectUnsupported(query);
        Order order = feed.orders().byDefault();
        List<Condition> conditions = new ArrayList<>(caller.scope());
        for (Map.Entry<String, List<String>> parameter : query.parameters().entrySet()) {
            String name = parameter.getKey();
            FilterParameter filter = filters.get(name);
            if (filter != null) {
                conditions.add(filter.condition(parameter.getValue()));
            } else if (name.equals(ParameterNames.Q) && isSearchable()) {
                conditions.add(SearchParameter.condition(feed.policy().search().columns(), parameter.getValue()));
            } else if (endpoint.isOrdered() && name.equals(ParameterNames.ORDER)) {
                order = order(QueryString.onlyValue(name, parameter.getValue()));
            } else if (!endpoint.parameters().contains(name)) {
                throw unknownParameter(name, endpoint);
            }
        }
        return listState(order, conditions);
    }

    private boolean isSearchable() {
        return !feed.policy().search().columns().isEmpty();
    }

    private ListState listState(Order order, List<Condition> conditions) {
        return conditions.isEmpty()
                ? unfilteredLists.computeIfAbsent(order.name(), name -> new ListState(feed, order, conditions))
                : new ListState(feed, order, conditions);
    }

    private Order order(String name) {
        return feed.orders()
                .find(name)
                .orElseThrow(() -> Problem.ofParameter(
                        ParameterNames.ORDER,
                        ProblemCode.UNKNOWN_ORDER,
                        "the orders of this feed are: "
                                + feed.orders().all().stream().map(Order::name).collect(Collectors.joining(", "))));
    }

    private Problem unknownParameter(String name, Endpoint endpoint) {
        return endpoint.explainsOffsets() && ParameterNames.OFFSETS.contains(name)
                ? Problem.ofParameter(name, ProblemCode.NOT_SUPPORTED, NO_OFFSETS)
                : Problem.ofParameter(
                        name,
                        ProblemCode.UNKNOWN_PARAMETER,
                        "there is no parameter \"" + name + "\" here; " + hint(name, endpoint));
    }

    /**
     * Returns a hint for an unknown name: all filters of the column that the name begins with, or else the nearest
     * known name.
     */
    private String hint(String name, Endpoint endpoint) {
        int dot = name.indexOf('.');
        String column = dot < 0 ? name : name.substring(0, dot);
        Filter filter = feed.filters().get(column);
        return filter == null
                ? "the nearest name is \"" + NearestName.find(name, knownNames(endpoint)) + '"'
                : "the parameters of " + column + " are: "
                        + filter.operators().stream()
                                .map(operator -> new FilterParameter(filter.column(), operator).name())
                                .collect(Collectors.joining(", "));
    }

    private Set<String> knownNames(Endpoint endpoint) {
        Set<String> names = new LinkedHashSet<>(endpoint.parameters());
        if (endpoint.isOrdered()) {
            names.add(ParameterNames.ORDER);
        }
        names.addAll(filters.keySet());
        if (isSearchable()) {
            names.add(ParameterNames.Q);
        }
        return names;
    }
}

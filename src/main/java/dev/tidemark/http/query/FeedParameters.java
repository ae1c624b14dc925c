package dev.tidemark.http.query;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.problem.NearestName;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.paging.Direction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** All parameters that a feed knows, each with what it does to a query. Made once per feed and kind of request. */
public final class FeedParameters {

    private static final String NO_OFFSETS = "pages are reached by cursor: an offset repeats and skips items when the"
            + " list changes, and costs more with every page; follow next_cursor";

    /** What one parameter does to the query that is being put together. */
    @FunctionalInterface
    interface Parameter {
        /** @param values at least one */
        void apply(List<String> values, FeedQueryDraft draft);
    }

    private final Feed feed;
    private final Lists lists;

    /** What a client is told of when it misspells a name. */
    private final Map<String, Parameter> known = new LinkedHashMap<>();

    private final Map<String, Parameter> unsupported = new LinkedHashMap<>();

    private FeedParameters(Feed feed) {
        this.feed = feed;
        this.lists = new Lists(feed);
    }

    /** All that a page knows. */
    public static FeedParameters ofPages(Feed feed) {
        FeedParameters parameters = new FeedParameters(feed);
        parameters.single("limit", (value, draft) -> draft.limit(value));
        parameters.single("until", (value, draft) -> draft.until(value));
        parameters.single("count", (value, draft) -> draft.count(value));
        JumpParameter.NAMES.forEach(parameters::jump);
        parameters.single("fields", (value, draft) -> draft.fields(value));
        parameters.places();
        return parameters;
    }

    /** What says which list is meant, and which place in it, and nothing of what a page looks like. */
    public static FeedParameters ofPlaces(Feed feed) {
        FeedParameters parameters = new FeedParameters(feed);
        parameters.places();
        return parameters;
    }

    /** All that the universal protocol knows. */
    public static FeedParameters ofUniversal(Feed feed) {
        FeedParameters parameters = new FeedParameters(feed);
        parameters.single("limit", (value, draft) -> draft.limit(value));
        for (Direction direction : Direction.values()) {
            parameters.single(
                    UniversalToken.parameter(direction),
                    (value, draft) -> draft.token(new UniversalToken(value, direction)));
        }
        parameters.list();
        return parameters;
    }

    private void places() {
        single("cursor", (value, draft) -> draft.cursor(value));
        list();
        List.of("offset", "page", "skip").forEach(name -> unsupported(name, NO_OFFSETS));
    }

    private void list() {
        single("order", (value, draft) -> draft.order(value));
        feed.filters().values().forEach(this::filter);
    }

    private void jump(String name) {
        known.put(name, (values, draft) -> draft.jump(new JumpParameter(name, values)));
    }

    /** @throws Problem for the first parameter that cannot be taken as it is */
    public FeedQueryDraft read(QueryString query, Caller caller) {
        FeedQueryDraft draft = new FeedQueryDraft(feed, lists, caller);
        query.parameters().forEach((name, values) -> find(name).apply(values, draft));
        return draft;
    }

    private Parameter find(String name) {
        Parameter parameter = known.getOrDefault(name, unsupported.get(name));
        if (parameter == null) {
            throw Problem.with(
                    name, ProblemCode.UNKNOWN_PARAMETER, "there is no parameter \"" + name + "\" here; " + offer(name));
        }
        return parameter;
    }

    /** Of a column all that there is: the nearest name may be that of another. */
    private String offer(String name) {
        int dot = name.indexOf('.');
        String column = dot < 0 ? name : name.substring(0, dot);
        Filter filter = feed.filters().get(column);
        return filter == null
                ? "the nearest name is \"" + NearestName.of(name, known.keySet()) + '"'
                : column + " has only: "
                        + filter.operators().stream()
                                .map(operator -> new FilterParameter(filter.column(), operator).name())
                                .collect(Collectors.joining(", "));
    }

    private void filter(Filter filter) {
        for (Filter.Operator operator : filter.operators()) {
            FilterParameter parameter = new FilterParameter(filter.column(), operator);
            if (operator == Filter.Operator.EQ) {
                known.put(parameter.name(), (values, draft) -> draft.condition(parameter.anyOf(values)));
            } else {
                single(parameter.name(), (value, draft) -> draft.condition(parameter.condition(value)));
            }
        }
    }

    /** What one parameter of one value does. */
    @FunctionalInterface
    private interface SingleValue {
        void apply(String value, FeedQueryDraft draft);
    }

    private void single(String name, SingleValue parameter) {
        known.put(name, (values, draft) -> {
            if (values.size() > 1) {
                throw Problem.with(
                        name,
                        ProblemCode.CONFLICTING_PARAMETERS,
                        name + " has one value, and came " + values.size() + " times");
            }
            parameter.apply(values.get(0), draft);
        });
    }

    private void unsupported(String name, String why) {
        unsupported.put(name, (values, draft) -> {
            throw Problem.with(name, ProblemCode.NOT_SUPPORTED, why);
        });
    }
}

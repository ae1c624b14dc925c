package dev.tidemark.http.counts;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter.Operator;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.feed.read.FeedCounter.CountsByValue;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.FilterParameter;
import dev.tidemark.http.query.Limit;
import dev.tidemark.http.query.ListParser.Endpoint;
import dev.tidemark.http.query.QueryString;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Parses the query of {@code GET /api/{feed}/counts}. */
final class CountsParser {

    static final int MAX_UP_TO = 1000;
    static final int DEFAULT_UP_TO = 100;

    /** The events have no ids, so the id of the last one, which some clients always send, means nothing. */
    private static final Endpoint ENDPOINT =
            Endpoint.withoutOrder(List.of(ParameterNames.BY, ParameterNames.UP_TO, ParameterNames.LAST_EVENT_ID));

    private CountsParser() {}

    /** @throws Problem if the feed does not offer these counts, or a parameter is invalid or missing */
    static CountsByValue parse(ServedFeed served, Caller caller, HttpServerRequest request) {
        QueryString query = QueryString.decode(request.query());
        ListState filtered = served.listParser().parse(query, caller, ENDPOINT);
        Feed feed = served.feed();
        Column by = query.value(ParameterNames.BY)
                .map(name -> column(feed, name))
                .orElseThrow(() -> Problem.ofParameter(
                        ParameterNames.BY,
                        ProblemCode.MISSING_PARAMETER,
                        "by is required: send the column by whose values items are counted"));
        // The values of a filter on the column are those to count, in their sequence. Without a filter, a parameter
        // with the column's name is another.
        Optional<List<String>> named = Optional.ofNullable(query.parameters().get(by.name()))
                .filter(values -> feed.filters().containsKey(by.name()))
                .map(new FilterParameter(by, Operator.EQ)::values);
        List<Condition> conditions = filtered.conditions().stream()
                .filter(condition -> !(condition instanceof Condition.AnyOf
                        && condition.column().name().equals(by.name())))
                .toList();
        int upTo = query.value(ParameterNames.UP_TO).map(CountsParser::upTo).orElse(DEFAULT_UP_TO);
        return new CountsByValue(new ListState(feed, filtered.order(), conditions), by, named, upTo);
    }

    private static Column column(Feed feed, String name) {
        return feed.counts().stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Problem.ofParameter(
                        ParameterNames.BY,
                        ProblemCode.NOT_SUPPORTED,
                        feed.counts().isEmpty()
                                ? "this feed is not declared with counts"
                                : feed.counts().stream()
                                        .map(Column::name)
                                        .collect(Collectors.joining(
                                                ", ", "this feed counts by the values of these columns: ", ""))));
    }

    private static int upTo(String text) {
        long upTo = Limit.parse(ParameterNames.UP_TO, text, MAX_UP_TO + 1L);
        if (upTo < 1 || upTo > MAX_UP_TO) {
            throw Problem.ofParameter(
                    ParameterNames.UP_TO,
                    ProblemCode.INVALID_LIMIT,
                    "up-to must be a whole number from 1 to " + MAX_UP_TO);
        }
        return (int) upTo;
    }
}

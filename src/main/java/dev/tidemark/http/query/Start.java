package dev.tidemark.http.query;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.http.problem.Problem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where a page starts, if it does not start at an end of the list. */
public sealed interface Start permits CursorParameter, Jump, Offset {

    /** The mutually exclusive parameters of {@code GET /api/{feed}} that specify where a page starts. */
    List<String> PARAMETERS = Stream.concat(Stream.of(ParameterNames.CURSOR), ParameterNames.JUMPS.stream())
            .toList();

    /**
     * Returns the start that a query specifies, if it does.
     *
     * @throws Problem {@code conflicting_parameters} if more than one parameter specifies where the page starts;
     *     {@code invalid_anchor} if a value is invalid or missing
     */
    static Optional<Start> find(QueryString query, Feed feed, Order order) {
        return query.findExclusiveParameter(PARAMETERS)
                .flatMap(name -> name.equals(ParameterNames.CURSOR)
                        ? CursorParameter.find(name, query)
                        : Optional.of(Jump.parse(name, query, feed, order)));
    }
}

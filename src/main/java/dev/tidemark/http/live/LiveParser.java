package dev.tidemark.http.live;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.live.LiveQuery.SealedMoment;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.ConstraintProblems;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.FieldNames;
import dev.tidemark.http.query.Limit;
import dev.tidemark.http.query.ListParser.Endpoint;
import dev.tidemark.http.query.QueryString;
import dev.tidemark.naming.ParameterNames;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import jakarta.validation.Validator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parses the query of {@code GET /api/{feed}/live}. */
@Singleton
class LiveParser {

    /** Sent by a browser that reconnects: the id of the last event that it has received. */
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private static final Endpoint ENDPOINT = Endpoint.withCursors(List.of(
            ParameterNames.CURSOR,
            ParameterNames.UNTIL,
            ParameterNames.LIMIT,
            ParameterNames.SINCE,
            ParameterNames.FIELDS));

    /** Parameters that pages support and live windows do not, each with the reason. */
    private static final Map<String, String> UNSUPPORTED_PARAMETERS = unsupportedParameters();

    private final Validator validator;

    LiveParser(Validator validator) {
        this.validator = validator;
    }

    private static Map<String, String> unsupportedParameters() {
        Map<String, String> reasons = new LinkedHashMap<>();
        ParameterNames.JUMPS.forEach(jump -> reasons.put(
                jump, "a live window starts at a cursor; read a page with " + jump + ", and use its cursors"));
        reasons.put(ParameterNames.COUNT, "a live window has no count; has_more says whether items are left out");
        return reasons;
    }

    /**
     * @throws Problem if the feed has no delta or a parameter is invalid
     * @throws jakarta.validation.ConstraintViolationException if the limit is below 1
     */
    LiveQuery parse(ServedFeed served, Caller caller, HttpServerRequest request) {
        served.requireCursors();
        Feed.Delta delta = served.feed()
                .policy()
                .delta()
                .orElseThrow(() -> Problem.of(
                        ProblemCode.NOT_SUPPORTED, "this feed is not declared with delta, so it has no live windows"));
        QueryString query = QueryString.decode(request.query());
        UNSUPPORTED_PARAMETERS.forEach((name, reason) -> {
            if (query.parameters().containsKey(name)) {
                throw Problem.ofParameter(name, ProblemCode.NOT_SUPPORTED, reason);
            }
        });
        ListState state = served.listParser().parse(query, caller, ENDPOINT);
        Optional<SealedMoment> since =
                query.value(ParameterNames.SINCE).map(token -> new SealedMoment(ParameterNames.SINCE, token));
        Optional<SealedMoment> lastEvent = Optional.ofNullable(request.getHeader(LAST_EVENT_ID))
                .map(token -> new SealedMoment(LAST_EVENT_ID, token));
        return ConstraintProblems.validate(
                validator,
                new LiveQuery(
                        state,
                        query.value(ParameterNames.CURSOR),
                        query.value(ParameterNames.UNTIL),
                        query.value(ParameterNames.LIMIT)
                                .map(text -> Limit.parse(text, delta.max()))
                                .orElse(delta.max()),
                        query.value(ParameterNames.FIELDS).map(list -> FieldNames.parse(served.feed(), list)),
                        lastEvent.or(() -> since),
                        caller.expiry()));
    }
}

package dev.tidemark.http.live;

import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.ConstraintProblems;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.CursorParameter;
import dev.tidemark.http.query.FieldNames;
import dev.tidemark.http.query.Limit;
import dev.tidemark.http.query.ListParser.Endpoint;
import dev.tidemark.http.query.MomentParameter;
import dev.tidemark.http.query.QueryString;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Floor;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import jakarta.validation.Validator;
import java.util.List;
import java.util.Optional;

/** Parses the query of {@code GET /api/{feed}/live}, and opens its cursors and its moment. */
@Singleton
class LiveParser {

    /** Sent by a browser that reconnects: the id of the last event that it has received. */
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private static final Endpoint ENDPOINT = endpoint();

    private final Validator validator;
    private final CursorSealer cursors;
    private final MomentSealer moments;

    LiveParser(Validator validator, CursorSealer cursors, MomentSealer moments) {
        this.validator = validator;
        this.cursors = cursors;
        this.moments = moments;
    }

    private static Endpoint endpoint() {
        Endpoint endpoint = Endpoint.withCursors(List.of(
                ParameterNames.CURSOR,
                ParameterNames.UNTIL,
                ParameterNames.LIMIT,
                ParameterNames.SINCE,
                ParameterNames.LAST_EVENT_ID,
                ParameterNames.FIELDS));
        for (String jump : ParameterNames.JUMPS) {
            endpoint = endpoint.without(
                    jump, "a live window starts at a cursor; read a page with " + jump + ", and use its cursors");
        }
        return endpoint.without(
                ParameterNames.COUNT, "a live window has no count; has_more says whether items are left out");
    }

    /**
     * @throws Problem if the feed has no delta, or a parameter, a cursor, or the moment is invalid
     * @throws jakarta.validation.ConstraintViolationException if the limit is below 1
     */
    LiveRequest parse(ServedFeed served, Caller caller, HttpServerRequest request) {
        served.requireCursors();
        Feed.Delta delta = served.feed()
                .policy()
                .delta()
                .orElseThrow(() -> Problem.of(
                        ProblemCode.NOT_SUPPORTED, "this feed is not declared with delta, so it has no live windows"));
        QueryString query = QueryString.decode(request.query());
        ListState state = served.listParser().parse(query, caller, ENDPOINT);
        Optional<Continuation> from = open(ParameterNames.CURSOR, query, state);
        Optional<Continuation> until = open(ParameterNames.UNTIL, query, state);
        WindowKey window = ConstraintProblems.validate(
                validator,
                new WindowKey(
                        state,
                        query.value(ParameterNames.FIELDS).map(list -> FieldNames.parse(served.feed(), list)),
                        from.map(Continuation::gap),
                        until.map(Continuation::gap),
                        query.value(ParameterNames.LIMIT)
                                .map(text -> Limit.parse(text, delta.max()))
                                .orElse(delta.max())));
        return new LiveRequest(
                served,
                window,
                since(query, request).map(since -> since.open(served.feed(), moments)),
                Floor.later(from.flatMap(Continuation::floor), until.flatMap(Continuation::floor)),
                caller);
    }

    private Optional<Continuation> open(String parameter, QueryString query, ListState state) {
        return CursorParameter.find(parameter, query).map(cursor -> cursor.open(state, cursors));
    }

    /** The id of the last event counts instead of {@code since}. It is empty for a client that has received none. */
    private static Optional<MomentParameter> since(QueryString query, HttpServerRequest request) {
        Optional<MomentParameter> since = MomentParameter.find(ParameterNames.SINCE, query);
        Optional<MomentParameter> lastEvent = MomentParameter.find(ParameterNames.LAST_EVENT_ID, query);
        return Optional.ofNullable(request.getHeader(LAST_EVENT_ID))
                .map(token -> new MomentParameter(LAST_EVENT_ID, token))
                .filter(LiveParser::isPresent)
                .or(() -> lastEvent.filter(LiveParser::isPresent))
                .or(() -> since);
    }

    private static boolean isPresent(MomentParameter id) {
        return !id.token().isEmpty();
    }
}

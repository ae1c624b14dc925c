package dev.tidemark.http.export;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.page.PageFormat;
import dev.tidemark.http.page.PageQuery;
import dev.tidemark.http.page.PageRange;
import dev.tidemark.http.page.ServedFeed;
import dev.tidemark.http.problem.ConstraintProblems;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.CursorParameter;
import dev.tidemark.http.query.FieldNames;
import dev.tidemark.http.query.Limit;
import dev.tidemark.http.query.ListParser.Endpoint;
import dev.tidemark.http.query.QueryString;
import dev.tidemark.http.query.Start;
import dev.tidemark.naming.ParameterNames;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import jakarta.validation.Validator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parses the query of an export. */
@Singleton
class ExportParser {

    private static final Endpoint ENDPOINT = Endpoint.withCursors(List.of(
            ParameterNames.CURSOR,
            ParameterNames.FROM,
            ParameterNames.FROM_ID,
            ParameterNames.UNTIL,
            ParameterNames.LIMIT,
            ParameterNames.FIELDS));

    /** Parameters that pages support and exports do not, each with the reason. */
    private static final Map<String, String> UNSUPPORTED_PARAMETERS = unsupportedParameters();

    private final Validator validator;

    ExportParser(Validator validator) {
        this.validator = validator;
    }

    private static Map<String, String> unsupportedParameters() {
        Map<String, String> reasons = new LinkedHashMap<>();
        reasons.put(ParameterNames.AROUND, "an export reads forward only; use from");
        reasons.put(ParameterNames.AROUND_ID, "an export reads forward only; use from_id");
        reasons.put(ParameterNames.COUNT, "the last line of an export contains the number of its items");
        reasons.put(ParameterNames.SINCE, "an export cannot refresh items; request a page with since");
        return reasons;
    }

    /**
     * @throws Problem if the feed has no cursors or a parameter is invalid
     * @throws jakarta.validation.ConstraintViolationException if the limit is below 1
     */
    ExportQuery parse(ServedFeed served, Caller caller, HttpServerRequest request) {
        served.requireCursors();
        Feed feed = served.feed();
        QueryString query = QueryString.decode(request.query());
        rejectUnsupportedParameters(query);
        ListState state = served.listParser().parse(query, caller, ENDPOINT);
        long limit = query.value(ParameterNames.LIMIT)
                .map(text -> Limit.parse(text, Long.MAX_VALUE))
                .orElse(Long.MAX_VALUE);
        PageQuery first = new PageQuery(
                PageFormat.API,
                state,
                new PageRange(
                        Start.find(query, feed, state.order()), CursorParameter.find(ParameterNames.UNTIL, query)),
                (int) Math.min(limit, feed.policy().limits().max()),
                query.value(ParameterNames.FIELDS).map(list -> FieldNames.parse(feed, list)),
                Optional.empty(),
                Optional.empty());
        return ConstraintProblems.validate(validator, new ExportQuery(first, limit, caller.expiry()));
    }

    private static void rejectUnsupportedParameters(QueryString query) {
        UNSUPPORTED_PARAMETERS.forEach((name, reason) -> {
            if (query.parameters().containsKey(name)) {
                throw Problem.ofParameter(name, ProblemCode.NOT_SUPPORTED, reason);
            }
        });
    }
}

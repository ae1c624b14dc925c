package dev.tidemark.http.openapi.example;

import dev.tidemark.cursor.CursorRejectedException;
import dev.tidemark.cursor.CursorRejectedException.Reason;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ProblemResponses;
import dev.tidemark.naming.ParameterNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.examples.Example;

/** Creates an example problem for each code. {@code ProblemsTest} compares the examples with the server's responses. */
public final class ExampleProblems {

    private static final String PATH = "/api/messages";
    private static final String ID = "g7k2m0r5t9vq1";

    private ExampleProblems() {}

    /** Returns problems with these codes, keyed by the names of the codes. */
    public static Map<String, Example> of(List<ProblemCode> codes) {
        return examples(codes, code -> ProblemResponses.body(problem(code), PATH, ID));
    }

    /** Returns problems of the universal protocol with these codes, keyed by the names of the codes. */
    public static Map<String, Example> universal(List<ProblemCode> codes) {
        return examples(codes, code -> ProblemResponses.universalBody(problem(code)));
    }

    private static Map<String, Example> examples(List<ProblemCode> codes, Function<ProblemCode, byte[]> body) {
        Map<String, Example> examples = new LinkedHashMap<>();
        codes.forEach(code ->
                examples.put(code.wireName(), OASFactory.createExample().value(ExamplePages.parse(body.apply(code)))));
        return examples;
    }

    private static Problem problem(ProblemCode code) {
        return switch (code) {
            case INVALID_LIMIT -> Problem.ofParameter("limit", code, "limit must be 1 or more");
            case INVALID_CURSOR -> cursorProblem(Reason.INVALID);
            case CURSOR_MISMATCH -> cursorProblem(Reason.MISMATCH);
            case CURSOR_EXPIRED -> cursorProblem(Reason.EXPIRED);
            case CONFLICTING_PARAMETERS -> Problem.ofParameter("limit", code, "limit takes one value, but 2 were sent");
            case UNKNOWN_PARAMETER ->
                Problem.ofParameter(
                        "statsu", code, "there is no parameter \"statsu\" here; the nearest name is \"status\"");
            case UNKNOWN_ORDER -> Problem.ofParameter("order", code, "the orders of this feed are: newest, oldest");
            case INVALID_FILTER ->
                Problem.ofParameter("status", code, "status is invalid: it must be one of sad, ok, very happy");
            case INVALID_FIELDS ->
                Problem.ofParameter(
                        "fields", code, "fields must be a list of these columns: id,sent_at,subject,status,urgent");
            case NOT_SUPPORTED ->
                Problem.ofParameter(
                        "offset",
                        code,
                        "pages are requested by cursor, because an offset repeats or skips items when the list changes,"
                                + " and makes deep pages slow; follow next_cursor");
            case MISSING_PARAMETER ->
                Problem.ofParameter(
                        "cursor",
                        code,
                        "cursor is required: send the cursor to count from, such as cursors.top of a page");
            case INVALID_ANCHOR ->
                Problem.ofParameter(
                        "around",
                        code,
                        "around is not a value of sent_at: it must be a timestamp such as 2026-01-16T10:00:00Z");
            case MALFORMED_REQUEST ->
                Problem.of(code, "a % must be followed by two hexadecimal digits; encode % itself as %25");
            case INVALID_MOMENT ->
                Problem.ofParameter("since", code, "since is not a moment that this server can open");
            case UNAUTHORIZED -> Problem.missingToken("this feed requires a bearer token");
            case FORBIDDEN -> Problem.of(code, "the token is valid, but does not allow its bearer to read this");
            case UNKNOWN_FEED -> Problem.of(code, "there is no feed with this name; GET /api lists the feeds");
            case ANCHOR_NOT_FOUND -> Problem.ofParameter("around_id", code, "this list has no item with this key");
            case NOT_FOUND -> Problem.NO_SUCH_PATH;
            case METHOD_NOT_ALLOWED -> Problem.of(code, "allowed methods: GET, HEAD, OPTIONS");
            case NOT_ACCEPTABLE ->
                Problem.of(
                        code,
                        "the response is available as application/json; a list is also available as"
                                + " application/x-ndjson, and /fresh and /live as text/event-stream");
            case URI_TOO_LONG -> Problem.of(code, "the URL has more than 16384 characters");
            case CONTENT_TOO_LARGE -> Problem.of(code, "the request's content has more than 10485760 bytes");
            case UNSUPPORTED_MEDIA_TYPE -> Problem.of(code, "Content-Type must be one valid media type");
            case HEADERS_TOO_LARGE -> Problem.of(code, "the headers together have more than 16384 characters");
            case OVERLOADED -> Problem.of(code, "too many requests are waiting for a database connection");
            case UNAVAILABLE -> Problem.of(code, "the database cannot be reached; see the server's log");
            case FEED_UNAVAILABLE -> Problem.FEED_UNAVAILABLE;
            case TIMEOUT -> Problem.of(code, "the statement was canceled because it took too long");
            case INTERNAL -> Problem.of(code, "the server's log has the details");
        };
    }

    private static Problem cursorProblem(Reason reason) {
        return Problem.of(new CursorRejectedException(reason), ParameterNames.CURSOR);
    }
}

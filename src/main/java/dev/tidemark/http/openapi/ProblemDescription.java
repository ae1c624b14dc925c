package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createContent;
import static org.eclipse.microprofile.openapi.OASFactory.createHeader;
import static org.eclipse.microprofile.openapi.OASFactory.createMediaType;

import dev.tidemark.feed.Feed;
import dev.tidemark.http.openapi.example.ExampleProblems;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ProblemResponses;
import jakarta.ws.rs.core.Response.Status;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/** Adds the error responses to the operations of the OpenAPI document, one for each status. */
record ProblemDescription(SharedComponents shared) {

    private static final List<Integer> COMMON_STATUSES = List.of(400, 406, 413, 414, 415, 431, 500);
    private static final List<Integer> FEED_STATUSES = List.of(400, 404, 406, 410, 413, 414, 415, 431, 500, 503, 504);
    private static final List<Integer> ACCESS_STATUSES = List.of(401, 403);

    /**
     * Adds the problems of the list of feeds. If a described feed needs a token, these include 401 for an invalid
     * token, and 503 if the keys that verify tokens cannot be fetched.
     */
    void describeFeedList(Operation operation, boolean needsToken) {
        describe(operation, COMMON_STATUSES, "", this::problem);
        if (needsToken) {
            describe(operation, List.of(401, 503), "", this::problem);
        }
    }

    /** Adds the problems of an operation on a feed. */
    void describeFeed(Operation operation, Feed feed) {
        describe(operation, statuses(feed), "", this::problem);
    }

    /** Adds the problems of an operation on a feed under the universal protocol. */
    void describeUniversal(Operation operation, Feed feed) {
        describe(operation, statuses(feed), "Universal", this::universalProblem);
    }

    private static List<Integer> statuses(Feed feed) {
        return feed.access().isPublic()
                ? FEED_STATUSES
                : Stream.concat(FEED_STATUSES.stream(), ACCESS_STATUSES.stream())
                        .sorted()
                        .toList();
    }

    private void describe(
            Operation operation,
            List<Integer> statuses,
            String prefix,
            Function<List<ProblemCode>, APIResponse> response) {
        for (int status : statuses) {
            List<ProblemCode> codes = Arrays.stream(ProblemCode.values())
                    .filter(code -> code.status() == status)
                    .toList();
            operation
                    .getResponses()
                    .addAPIResponse(
                            Integer.toString(status),
                            shared.response(prefix + name(status), () -> withHeaders(status, response.apply(codes))));
        }
    }

    /** The reason phrase as a name, such as {@code BadRequest}. */
    private static String name(int status) {
        return Status.fromStatusCode(status).getReasonPhrase().replaceAll("[ -]", "");
    }

    private APIResponse problem(List<ProblemCode> codes) {
        return response(
                description(codes, code -> '`' + code.wireName() + '`'),
                ProblemResponses.MEDIA_TYPE,
                createMediaType()
                        .schema(shared.schema("Problem", ProblemDescription::problem))
                        .examples(ExampleProblems.of(codes)));
    }

    private APIResponse universalProblem(List<ProblemCode> codes) {
        return response(
                description(codes, code -> "`" + code.number() + "` (`" + code.wireName() + "`)"),
                "application/json",
                createMediaType()
                        .schema(shared.schema("UniversalProblem", ProblemDescription::universalProblem))
                        .examples(ExampleProblems.universal(codes)));
    }

    private static APIResponse response(String description, String type, MediaType content) {
        return createAPIResponse()
                .description(description)
                .content(createContent().addMediaType(type, content));
    }

    private static String description(List<ProblemCode> codes, Function<ProblemCode, String> name) {
        return codes.size() == 1
                ? codes.get(0).title() + ". The code is " + name.apply(codes.get(0)) + '.'
                : codes.stream()
                        .map(code -> "\n- " + name.apply(code) + ": " + code.title() + '.')
                        .collect(Collectors.joining("", "The code says what is wrong.\n", ""));
    }

    private APIResponse withHeaders(int status, APIResponse response) {
        response.addHeader(
                "X-Request-Id",
                shared.header(
                        "X-Request-Id", () -> header("The id of the request, which is also in the server's log.")));
        return switch (status) {
            case 401 ->
                response.addHeader(
                        "WWW-Authenticate",
                        shared.header(
                                "WWW-Authenticate",
                                () -> header("`Bearer`, with `error=\"invalid_token\"` if there was a token.")));
            case 503 ->
                response.addHeader("Retry-After", shared.header("Retry-After", () -> createHeader()
                        .description("The number of seconds after which a retry may succeed.")
                        .schema(Schemas.integer())));
            default -> response;
        };
    }

    private static Header header(String description) {
        return createHeader().description(description).schema(Schemas.text());
    }

    private static Schema problem() {
        Schema problem = Schemas.object().description("A problem as in RFC 9457.");
        Schemas.with(
                problem, "type", Schemas.text("A URI that identifies the code.").format("uri"));
        Schemas.with(problem, "title", Schemas.text("A short summary of the code."));
        Schemas.with(problem, "status", Schemas.integer().description("The HTTP status."));
        Schemas.with(
                problem,
                "detail",
                Schemas.text("What is wrong with this request, for developers. The text can change."));
        Schemas.with(
                problem, "instance", Schemas.text("The path of the request.").format("uri-reference"));
        Schemas.with(
                problem,
                "code",
                Schemas.enumeration(Arrays.stream(ProblemCode.values())
                                .map(ProblemCode::wireName)
                                .toList())
                        .description("Identifies the problem to programs. A code never changes its meaning."));
        problem.addProperty("parameter", Schemas.text("The parameter that caused the problem, if any."));
        return Schemas.with(
                problem,
                "request_id",
                Schemas.text("The `X-Request-Id` of the request, or a generated id. It is also in the server's log."));
    }

    private static Schema universalProblem() {
        Schema problem = Schemas.object().description("A problem under the universal protocol.");
        Schemas.with(
                problem,
                "code",
                Schemas.integer()
                        .enumeration(Arrays.stream(ProblemCode.values())
                                .map(code -> (Object) code.number())
                                .toList())
                        .description("Identifies the problem to programs. A number never changes its meaning."));
        Schemas.with(problem, "message", Schemas.text("What is wrong, for developers. The text can change."));
        // Generated clients do not compile if null is the only type.
        return Schemas.with(
                problem, "result", Schemas.nullable(Schemas.object()).description("It is always `null`."));
    }
}

package dev.tidemark.http.problem;

import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import dev.tidemark.cursor.PositionTooLongException;
import dev.tidemark.feed.read.OversizedValueException;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.http.json.ItemTooLargeException;
import io.vertx.ext.web.RoutingContext;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ValidationException;
import jakarta.ws.rs.WebApplicationException;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jspecify.annotations.Nullable;

/** Maps every exception that a resource can throw to a response with a problem. */
class ProblemMappers {

    private static final Logger LOG = Logger.getLogger(ProblemMappers.class);

    /** The value of Allow if the framework provides none, as for methods that no resource supports. */
    private static final String DEFAULT_ALLOW = "GET, HEAD, OPTIONS";

    private static final Problem NOT_ACCEPTABLE = Problem.of(
            ProblemCode.NOT_ACCEPTABLE,
            "the response is available as application/json; a list under /api is also available as"
                    + " application/x-ndjson and text/csv, and its /fresh, /counts, and /live as text/event-stream");

    private static final Problem UNSUPPORTED_CONTENT_TYPE =
            Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "content of this media type is not supported");

    private final ProblemResponses responses;
    private final ReadProblems readProblems;

    ProblemMappers(ProblemResponses responses, ReadProblems readProblems) {
        this.responses = responses;
        this.readProblems = readProblems;
    }

    @ServerExceptionMapper
    RestResponse<byte[]> problem(Problem problem, RoutingContext context) {
        return respond(problem, context);
    }

    @ServerExceptionMapper
    RestResponse<byte[]> positionTooLong(PositionTooLongException tooLong, RoutingContext context) {
        return respond(readProblems.problem(tooLong), context);
    }

    @ServerExceptionMapper
    RestResponse<byte[]> itemTooLarge(ItemTooLargeException tooLarge, RoutingContext context) {
        return respond(readProblems.problem(tooLarge), context);
    }

    /** Another oversized value than that of an order's column makes its item too large. */
    @ServerExceptionMapper
    RestResponse<byte[]> oversizedKey(OversizedValueException oversized, RoutingContext context) {
        return respond(ReadProblems.OVERSIZED_KEY, context);
    }

    @ServerExceptionMapper
    RestResponse<byte[]> readFailure(ReadFailure failure, RoutingContext context) {
        LOG.debugf(failure, "A read for %s failed", context.request().path());
        return respond(readProblems.problem(failure), context);
    }

    @ServerExceptionMapper
    RestResponse<byte[]> constraintViolation(ConstraintViolationException violations, RoutingContext context) {
        return ConstraintProblems.problem(violations)
                .map(problem -> respond(problem, context))
                .orElseGet(() -> respondToUnexpected(violations, context));
    }

    /**
     * Responds with an internal error, because a failing validator is a fault of the server and not of the request.
     */
    @ServerExceptionMapper
    RestResponse<byte[]> validationFailure(ValidationException failure, RoutingContext context) {
        return respondToUnexpected(failure, context);
    }

    /**
     * Handles request content that is well-formed JSON of the wrong type. The framework's own response would have no
     * content.
     */
    @ServerExceptionMapper
    RestResponse<byte[]> mismatchedInput(MismatchedInputException failure, RoutingContext context) {
        return respond(Problem.MALFORMED, context);
    }

    /**
     * Maps failures by their status. If several resource methods share a path, and none of them matches {@code Accept}
     * or {@code Content-Type}, the framework reports only a status.
     */
    @ServerExceptionMapper
    RestResponse<byte[]> webApplicationException(WebApplicationException failure, RoutingContext context) {
        return switch (failure.getResponse().getStatus()) {
            case 400 -> respond(Problem.MALFORMED, context);
            case 404 -> respond(Problem.NO_SUCH_PATH, context);
            case 405 -> respondWithAllowed(failure.getResponse().getHeaderString("Allow"), context);
            case 406 -> respond(NOT_ACCEPTABLE, context);
            case 415 -> respond(UNSUPPORTED_CONTENT_TYPE, context);
            default -> respondToUnexpected(failure, context);
        };
    }

    /** @param statedMethods the methods that the framework allows; {@code null} if it does not say */
    private RestResponse<byte[]> respondWithAllowed(@Nullable String statedMethods, RoutingContext context) {
        String allowedMethods = statedMethods == null ? DEFAULT_ALLOW : statedMethods;
        RestResponse<byte[]> response =
                respond(Problem.of(ProblemCode.METHOD_NOT_ALLOWED, "allowed methods: " + allowedMethods), context);
        response.getHeaders().putSingle("Allow", allowedMethods);
        return response;
    }

    @ServerExceptionMapper
    RestResponse<byte[]> throwable(Throwable failure, RoutingContext context) {
        return respondToUnexpected(failure, context);
    }

    private RestResponse<byte[]> respondToUnexpected(Throwable failure, RoutingContext context) {
        return response(responses.respondToUnexpected(context, failure));
    }

    private RestResponse<byte[]> respond(Problem problem, RoutingContext context) {
        return response(responses.respond(context, problem));
    }

    private static RestResponse<byte[]> response(ProblemResponses.Response problemResponse) {
        RestResponse.ResponseBuilder<byte[]> response = RestResponse.ResponseBuilder.<byte[]>create(
                        problemResponse.status())
                .entity(problemResponse.body());
        problemResponse.headers().forEach(response::header);
        return response.build();
    }
}

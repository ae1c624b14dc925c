package dev.tidemark.http.requests;

import dev.tidemark.http.connections.RequestHead;
import dev.tidemark.http.connections.UnreadResponses;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ProblemResponses;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Rejects, with a problem, requests that the HTTP layer or the framework would reject without a body or could
 * misinterpret. The HTTP layer accepts URLs and headers of up to 64 kB, so that this class can reject those above
 * 16 kB.
 */
@Singleton
class RequestGate {

    static final int MAX_URI_CHARS = 16 * 1024;
    static final int MAX_HEADER_CHARS = 16 * 1024;

    /** The maximum {@code Content-Length}. No resource reads content. */
    static final long MAX_CONTENT_BYTES = 10 * 1024 * 1024;

    /** The priority of the filter, which runs before the HTTP layer's own check of the content length. */
    private static final int FILTER_PRIORITY = 1_000;

    private static final Set<ProblemCode> TOO_LARGE =
            EnumSet.of(ProblemCode.URI_TOO_LONG, ProblemCode.HEADERS_TOO_LARGE, ProblemCode.CONTENT_TOO_LARGE);

    private static final Map<Integer, Problem> PROBLEM_BY_STATUS = Map.of(
            400, Problem.MALFORMED,
            404, Problem.NO_SUCH_PATH,
            413, Problem.of(ProblemCode.CONTENT_TOO_LARGE, "the request's content is too large"));

    private final ProblemResponses responses;
    private final UnreadResponses unreadResponses;

    RequestGate(ProblemResponses responses, UnreadResponses unreadResponses) {
        this.responses = responses;
        this.unreadResponses = unreadResponses;
    }

    void register(@Observes Filters filters) {
        filters.register(this::check, FILTER_PRIORITY);
    }

    /**
     * Registers the handler for requests that the router rejects before it matches a route, and for failures of routes
     * outside the resources.
     */
    void register(@Observes Router router) {
        router.route().order(-FILTER_PRIORITY).failureHandler(this::handleFailure);
        PROBLEM_BY_STATUS.keySet().forEach(status -> router.errorHandler(status, this::handleFailure));
    }

    private void check(RoutingContext context) {
        BrowserHeaders.addTo(context);
        RequestHead head = RequestHead.of(context.request());
        unreadResponses.whenRead(context, head, () -> pass(context, head));
    }

    private void pass(RoutingContext context, RequestHead head) {
        if (head.hasTransferEncoding() || hasUnknownProtocol(context.request())) {
            // A proxy and this server may disagree about where this request ends (RFC 9112, 6.1).
            closeConnectionAfterResponse(context);
        }
        if (head.acceptHeaders() > 1) {
            // The framework would read only the first Accept header.
            MultiMap headers = context.request().headers();
            headers.set(HttpHeaders.ACCEPT, String.join(", ", headers.getAll(HttpHeaders.ACCEPT)));
        }
        findProblem(context.request(), head)
                .or(unreadResponses::findShortage)
                .ifPresentOrElse(problem -> reject(context, problem), context::next);
    }

    private static Optional<Problem> findProblem(HttpServerRequest request, RequestHead head) {
        if (hasUnknownProtocol(request)) {
            return Optional.of(Problem.of(ProblemCode.MALFORMED_REQUEST, "this server supports HTTP/1.0 and HTTP/1.1"));
        }
        if (request.uri().length() > MAX_URI_CHARS) {
            return Optional.of(
                    Problem.of(ProblemCode.URI_TOO_LONG, "the URL has more than " + MAX_URI_CHARS + " characters"));
        }
        if (head.headerChars() > MAX_HEADER_CHARS) {
            return Optional.of(Problem.of(
                    ProblemCode.HEADERS_TOO_LARGE,
                    "the headers together have more than " + MAX_HEADER_CHARS + " characters"));
        }
        if (head.contentBytes() > MAX_CONTENT_BYTES) {
            return Optional.of(Problem.of(
                    ProblemCode.CONTENT_TOO_LARGE,
                    "the request's content has more than " + MAX_CONTENT_BYTES + " bytes"));
        }
        if (head.hasInvalidType()) {
            return Optional.of(
                    Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "Content-Type must be one valid media type"));
        }
        return head.ambiguity()
                .or(() -> UrlEncoding.findFault(request.uri()))
                .map(fault -> Problem.of(ProblemCode.MALFORMED_REQUEST, fault));
    }

    /**
     * Returns whether the protocol is unknown. The HTTP layer accepts protocols such as {@code FTP/1.1} or
     * {@code HTTP/3.7}, and repeats the protocol in its response.
     */
    private static boolean hasUnknownProtocol(HttpServerRequest request) {
        return request.version() == null;
    }

    private void handleFailure(RoutingContext context) {
        Problem problem = PROBLEM_BY_STATUS.get(context.statusCode());
        if (problem == null) {
            ProblemResponses.Response internalError = responses.respondToUnexpected(context, context.failure());
            if (context.response().headWritten()) {
                context.response().reset();
            } else {
                send(context, internalError);
            }
        } else if (!context.response().headWritten()) {
            reject(context, problem);
        }
    }

    private void reject(RoutingContext context, Problem problem) {
        if (TOO_LARGE.contains(problem.code())) {
            // Nothing would read content that the client may still send, and Netty keeps a buffer for the longest
            // line.
            closeConnectionAfterResponse(context);
        }
        send(context, responses.respond(context, problem));
    }

    private static void send(RoutingContext context, ProblemResponses.Response problemResponse) {
        // If the router rejected the request before check() was called, the response does not have these headers yet.
        BrowserHeaders.addTo(context);
        var response = context.response().setStatusCode(problemResponse.status());
        problemResponse.headers().forEach(response::putHeader);
        response.putHeader("Content-Length", Integer.toString(problemResponse.body().length));
        if (context.request().method() == HttpMethod.HEAD) {
            response.end();
        } else {
            response.end(Buffer.buffer(problemResponse.body()));
        }
    }

    private static void closeConnectionAfterResponse(RoutingContext context) {
        context.response().putHeader("Connection", "close");
        context.addEndHandler(ended -> context.request().connection().close());
    }
}

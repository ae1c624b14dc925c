package dev.tidemark.http.edge;

import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemAnswer;
import dev.tidemark.http.problem.ProblemCode;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;

/**
 * Turns away what would otherwise be refused by the layers below the resources, without a body: they take URLs and
 * headers of up to 64 kB, so that what is somewhat too long gets its problem from here.
 */
@Singleton
class RequestGate {

    static final int MAX_URI_CHARS = 16 * 1024;
    static final int MAX_HEADER_CHARS = 16 * 1024;

    /** Nothing here reads content; beyond this the HTTP layer ends the connection. */
    static final long MAX_CONTENT_BYTES = 10 * 1024 * 1024;

    /** Before the HTTP layer's own look at the content's length. */
    private static final int FIRST = 1_000;

    private static final Map<Integer, Problem> OF_STATUS = Map.of(
            400, Problem.of(ProblemCode.MALFORMED_REQUEST, "the request cannot be read"),
            404, Problem.of(ProblemCode.NOT_FOUND, "there is nothing at this path; GET /api lists the feeds"),
            413, Problem.of(ProblemCode.CONTENT_TOO_LARGE, "the request's content is too large"));

    private final ProblemAnswer answer;

    RequestGate(ProblemAnswer answer) {
        this.answer = answer;
    }

    void register(@Observes Filters filters) {
        filters.register(this::pass, FIRST);
    }

    /** What the router refuses before any route is asked, or a route fails with outside the resources. */
    void register(@Observes Router router) {
        router.route().order(-FIRST).failureHandler(this::fail);
        OF_STATUS.keySet().forEach(status -> router.errorHandler(status, this::fail));
    }

    private void pass(RoutingContext context) {
        RequestHead head = RequestHead.of(context.request());
        if (head.hasTransferEncoding() || isOfNoKnownProtocol(context.request())) {
            // What follows may be another request only for us, and not for a proxy before us (RFC 9112, 6.1).
            endConnectionAfter(context);
        }
        Optional<Problem> problem = refusal(context.request(), head);
        if (problem.isPresent()) {
            refuse(context, problem.get());
        } else {
            passWhenTaken(context);
        }
    }

    /**
     * Who sends request after request and takes nothing of the answers has the next one answered when there is room for it:
     * what is not taken stays in memory, and nothing else bounds it. Over HTTP/2 the number of open requests does, and who
     * has no room for content there may still be given headers.
     */
    private static void passWhenTaken(RoutingContext context) {
        HttpServerResponse response = context.response();
        if (context.request().version() != HttpVersion.HTTP_2 && response.writeQueueFull()) {
            response.drainHandler(taken -> {
                response.drainHandler(null);
                context.next();
            });
        } else {
            context.next();
        }
    }

    private static Optional<Problem> refusal(HttpServerRequest request, RequestHead head) {
        if (isOfNoKnownProtocol(request)) {
            return Optional.of(
                    Problem.of(ProblemCode.MALFORMED_REQUEST, "what is spoken here is HTTP/1.0, HTTP/1.1 and HTTP/2"));
        }
        if (request.uri().length() > MAX_URI_CHARS) {
            return Optional.of(
                    Problem.of(ProblemCode.URI_TOO_LONG, "a URL has at most " + MAX_URI_CHARS + " characters"));
        }
        if (head.chars() > MAX_HEADER_CHARS) {
            return Optional.of(Problem.of(
                    ProblemCode.HEADERS_TOO_LARGE,
                    "all headers together have at most " + MAX_HEADER_CHARS + " characters"));
        }
        if (head.contentBytes() > MAX_CONTENT_BYTES) {
            return Optional.of(Problem.of(
                    ProblemCode.CONTENT_TOO_LARGE, "a request's content has at most " + MAX_CONTENT_BYTES + " bytes"));
        }
        if (head.hasUnreadableType()) {
            return Optional.of(Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "this is no type of content"));
        }
        return head.ambiguity()
                .or(() -> UrlEncoding.fault(request.uri()))
                .map(fault -> Problem.of(ProblemCode.MALFORMED_REQUEST, fault));
    }

    /** The HTTP layer reads {@code FTP/1.1} and {@code HTTP/3.7} as if they were its own, and answers in their name. */
    private static boolean isOfNoKnownProtocol(HttpServerRequest request) {
        return request.version() == null;
    }

    private void fail(RoutingContext context) {
        Problem problem = OF_STATUS.get(context.statusCode());
        if (problem == null) {
            ProblemAnswer.Answer bug = answer.toBug(context.request(), context.failure());
            if (context.response().headWritten()) {
                context.response().reset();
            } else {
                send(context, bug);
            }
        } else if (!context.response().headWritten()) {
            refuse(context, problem);
        }
    }

    private void refuse(RoutingContext context, Problem problem) {
        if (problem.code() == ProblemCode.CONTENT_TOO_LARGE) {
            // What follows on this connection is the content that nobody will read.
            endConnectionAfter(context);
        }
        send(context, answer.to(context.request(), problem));
    }

    private static void send(RoutingContext context, ProblemAnswer.Answer answer) {
        var response = context.response().setStatusCode(answer.status());
        answer.headers().forEach(response::putHeader);
        response.putHeader("Content-Length", Integer.toString(answer.body().length));
        if (context.request().method() == HttpMethod.HEAD) {
            response.end();
        } else {
            response.end(Buffer.buffer(answer.body()));
        }
    }

    private static void endConnectionAfter(RoutingContext context) {
        context.response().putHeader("Connection", "close");
        context.addEndHandler(ended -> context.request().connection().close());
    }
}

package dev.tidemark.http.problem;

import dev.tidemark.http.json.Json;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Creates the responses for problems, counts the problems, and logs unexpected failures. */
@Singleton
public class ProblemResponses {

    public static final String MEDIA_TYPE = "application/problem+json";

    private static final Logger LOG = Logger.getLogger(ProblemResponses.class);

    private static final int MAX_INSTANCE_CHARS = 256;

    private final Map<ProblemCode, Counter> counters = new EnumMap<>(ProblemCode.class);

    ProblemResponses(MeterRegistry metrics) {
        for (ProblemCode code : ProblemCode.values()) {
            counters.put(
                    code,
                    Counter.builder("tidemark.problems")
                            .description("Problems returned to clients")
                            .tag("code", code.wireName())
                            .register(metrics));
        }
    }

    public record Response(int status, Map<String, String> headers, byte[] body) {}

    /** Creates the response and also counts the problem, so call this once per request. */
    public Response respond(RoutingContext context, Problem problem) {
        return respond(context, problem, null);
    }

    /** Creates the response to an unexpected failure. The stack trace is only logged, never sent. */
    public Response respondToUnexpected(RoutingContext context, Throwable failure) {
        return respond(context, Problem.of(ProblemCode.INTERNAL, "the server's log has the details"), failure);
    }

    private Response respond(RoutingContext context, Problem problem, @Nullable Throwable failure) {
        HttpServerRequest request = context.request();
        String id = RequestId.of(request);
        Objects.requireNonNull(counters.get(problem.code())).increment();
        // The pattern of an access log can contain these as %{d,problem} and %{d,request_id}.
        context.put("problem", problem.code().wireName()).put("request_id", id);
        if (failure != null) {
            LOG.error(MetricLabels.method(request) + ' ' + path(request) + " failed, request_id=" + id, failure);
        }
        return switch (Protocol.of(context)) {
            case API ->
                new Response(
                        problem.code().status(), headers(problem, MEDIA_TYPE, id), body(problem, path(request), id));
            case UNIVERSAL ->
                new Response(
                        problem.code().status(),
                        headers(problem, MediaType.APPLICATION_JSON, id),
                        universalBody(problem));
        };
    }

    /** Returns the path of a request without its query, which may contain confidential data. */
    private static String path(HttpServerRequest request) {
        return request.path() == null ? "/" : request.path();
    }

    /** Returns the JSON of a problem, as it is sent for a request with this path and id. */
    public static byte[] body(Problem problem, String path, String id) {
        ProblemCode code = problem.code();
        JsonObject json = new JsonObject()
                .put("type", code.type())
                .put("title", code.title())
                .put("status", code.status())
                .put("detail", problem.detail())
                .put("instance", path.substring(0, Math.min(path.length(), MAX_INSTANCE_CHARS)))
                .put("code", code.wireName());
        problem.parameter().ifPresent(name -> json.put("parameter", name));
        return Json.bytes(json.put("request_id", id));
    }

    /**
     * Returns the JSON of a problem under the universal protocol. The JSON has no member for the request id, which is
     * sent only in the header.
     */
    public static byte[] universalBody(Problem problem) {
        return Json.bytes(new JsonObject()
                .put("code", problem.code().number())
                .put("message", problem.detail())
                .putNull("result"));
    }

    private static Map<String, String> headers(Problem problem, String mediaType, String id) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", mediaType);
        // A problem applies only to this request, so the response must not be reused.
        headers.put("Cache-Control", "no-store");
        headers.put(RequestId.HEADER, id);
        problem.code().retryAfterSeconds().ifPresent(seconds -> headers.put("Retry-After", Integer.toString(seconds)));
        problem.challenge().ifPresent(challenge -> headers.put("WWW-Authenticate", challenge));
        return headers;
    }
}

package dev.tidemark.http.problem;

import dev.tidemark.http.json.Json;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpUtils;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** A problem as it goes out, counted and logged. */
@Singleton
public class ProblemResponses {

    public static final String MEDIA_TYPE = "application/problem+json";

    /** A path that begins with several slashes, or has letters percent-encoded, is served like any other. */
    private static final Pattern UNIVERSAL = Pattern.compile("/+(v|%76)(3|%33)(/.*)?");

    /** Seconds after which a client may try again what failed for a passing reason. */
    private static final String RETRY_AFTER_SECONDS = "1";

    private static final int MAX_INSTANCE_CHARS = 256;

    private final Map<ProblemCode, Counter> counters = new EnumMap<>(ProblemCode.class);
    private final FailedRequestLog log;

    ProblemResponses(MeterRegistry metrics, FailedRequestLog log) {
        this.log = log;
        for (ProblemCode code : ProblemCode.values()) {
            counters.put(
                    code,
                    Counter.builder("tidemark.problems")
                            .description("Problems that were answered")
                            .tag("code", code.wireName())
                            .register(metrics));
        }
    }

    /** What goes out. */
    public record Response(int status, Map<String, String> headers, byte[] body) {}

    /** The answer to a request, which is counted and logged with it; so it is asked for once. */
    public Response respond(HttpServerRequest request, Problem problem) {
        return respond(request, problem, null);
    }

    /** The same for what nobody has foreseen. The stack trace is for the log, and only for the log. */
    public Response respondToUnexpected(HttpServerRequest request, Throwable failure) {
        return respond(request, Problem.of(ProblemCode.INTERNAL, "the server's log says more"), failure);
    }

    private Response respond(HttpServerRequest request, Problem problem, Throwable failure) {
        String id = RequestId.of(request);
        counters.get(problem.code()).increment();
        log.log(request, problem.code(), id, failure);
        // Without its query, which may hold what is not for logs.
        String path = request.path() == null ? "/" : request.path();
        boolean universal = isUniversal(path);
        return new Response(
                problem.code().status(),
                headers(problem, universal, id),
                universal ? universalBody(problem) : body(problem, path, id));
    }

    private static byte[] body(Problem problem, String path, String id) {
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("type", problem.code().type());
            json.writeStringField("title", problem.code().title());
            json.writeNumberField("status", problem.code().status());
            json.writeStringField("detail", problem.detail());
            json.writeStringField("instance", path.substring(0, Math.min(path.length(), MAX_INSTANCE_CHARS)));
            json.writeStringField("code", problem.code().wireName());
            if (problem.parameter().isPresent()) {
                json.writeStringField("parameter", problem.parameter().get());
            }
            json.writeStringField("request_id", id);
            json.writeEndObject();
        });
    }

    /** As the protocol has it: the request's id is in the header alone. */
    private static byte[] universalBody(Problem problem) {
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeNumberField("code", problem.code().number());
            json.writeStringField("message", problem.detail());
            json.writeNullField("result");
            json.writeEndObject();
        });
    }

    private static Map<String, String> headers(Problem problem, boolean universal, String id) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", universal ? MediaType.APPLICATION_JSON : MEDIA_TYPE);
        // An error is true of one moment; nobody should keep it.
        headers.put("Cache-Control", "no-store");
        headers.put(RequestId.HEADER, id);
        if (problem.code().isTransient()) {
            headers.put("Retry-After", RETRY_AFTER_SECONDS);
        }
        problem.challenge().ifPresent(challenge -> headers.put("WWW-Authenticate", challenge));
        return headers;
    }

    /** The universal protocol has one form for all of its answers. */
    private static boolean isUniversal(String path) {
        return UNIVERSAL.matcher(withoutDots(path)).matches();
    }

    /** The path as the router reads it; one that it cannot read stays as it is. */
    private static String withoutDots(String path) {
        try {
            return HttpUtils.normalizePath(path);
        } catch (IllegalArgumentException malformed) {
            return path;
        }
    }
}

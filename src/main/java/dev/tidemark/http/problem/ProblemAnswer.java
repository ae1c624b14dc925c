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
public class ProblemAnswer {

    public static final String MEDIA_TYPE = "application/problem+json";

    /** A path that begins with several slashes, or has letters percent-encoded, is served like any other. */
    private static final Pattern UNIVERSAL = Pattern.compile("/+(v|%76)(3|%33)(/.*)?");

    /** Seconds after which a client may try again what failed for a passing reason. */
    private static final String RETRY_AFTER = "1";

    private static final int LONGEST_INSTANCE = 256;

    private final Map<ProblemCode, Counter> counters = new EnumMap<>(ProblemCode.class);
    private final FailedRequests failed;

    ProblemAnswer(MeterRegistry metrics, FailedRequests failed) {
        this.failed = failed;
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
    public record Answer(int status, Map<String, String> headers, byte[] body) {}

    /** The answer to a request, which is counted and logged with it; so it is asked for once. */
    public Answer to(HttpServerRequest request, Problem problem) {
        return to(request, problem, null);
    }

    /** The same for what nobody has foreseen. The stack trace is for the log, and only for the log. */
    public Answer toBug(HttpServerRequest request, Throwable bug) {
        return to(request, Problem.of(ProblemCode.INTERNAL, "the server's log says more"), bug);
    }

    private Answer to(HttpServerRequest request, Problem problem, Throwable bug) {
        String id = RequestId.of(request);
        counters.get(problem.code()).increment();
        failed.log(request, problem.code(), id, bug);
        // Without its query, which may hold what is not for logs.
        String path = request.path() == null ? "/" : request.path();
        boolean universal = isUniversal(path);
        return new Answer(
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
            json.writeStringField("instance", path.substring(0, Math.min(path.length(), LONGEST_INSTANCE)));
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
        if (problem.code().isPassing()) {
            headers.put("Retry-After", RETRY_AFTER);
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

package dev.tidemark.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** A problem as it goes out, and the count of those that went. */
@Singleton
class ProblemAnswer {

    static final String MEDIA_TYPE = "application/problem+json";

    /** A path that begins with several slashes, or has letters percent-encoded, is served like any other. */
    private static final Pattern UNIVERSAL = Pattern.compile("/+(v|%76)(3|%33)(/.*)?");

    /** Seconds after which a client may try again what failed for a passing reason. */
    private static final String RETRY_AFTER = "1";

    private final Map<ProblemCode, Counter> counters = new EnumMap<>(ProblemCode.class);

    ProblemAnswer(MeterRegistry metrics) {
        for (ProblemCode code : ProblemCode.values()) {
            counters.put(
                    code,
                    Counter.builder("tidemark.problems")
                            .description("Problems that were answered")
                            .tag("code", code.wireName())
                            .register(metrics));
        }
    }

    /** @param path of the request as it came, without its query: that may hold what is not for logs */
    byte[] body(Problem problem, String path) {
        counters.get(problem.code()).increment();
        if (isUniversal(path)) {
            return Json.bytes(json -> {
                json.writeStartObject();
                json.writeNumberField("code", problem.code().number());
                json.writeStringField("message", problem.detail());
                json.writeNullField("result");
                json.writeEndObject();
            });
        }
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("type", problem.code().type());
            json.writeStringField("title", problem.code().title());
            json.writeNumberField("status", problem.code().status());
            json.writeStringField("detail", problem.detail());
            json.writeStringField("instance", path);
            json.writeStringField("code", problem.code().wireName());
            if (problem.parameter().isPresent()) {
                json.writeStringField("parameter", problem.parameter().get());
            }
            json.writeEndObject();
        });
    }

    Map<String, String> headers(Problem problem, String path) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", isUniversal(path) ? MediaType.APPLICATION_JSON : MEDIA_TYPE);
        // An error is true of one moment; nobody should keep it.
        headers.put("Cache-Control", "no-store");
        if (problem.code().isPassing()) {
            headers.put("Retry-After", RETRY_AFTER);
        }
        problem.challenge().ifPresent(challenge -> headers.put("WWW-Authenticate", challenge));
        return headers;
    }

    /** The universal protocol has one form for all of its answers. */
    private static boolean isUniversal(String path) {
        return UNIVERSAL.matcher(path).matches();
    }
}

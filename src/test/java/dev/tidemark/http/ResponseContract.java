package dev.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.requests.FuzzedRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.regex.Pattern;

/** The rules that every response follows. */
public final class ResponseContract {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Names of classes, stack traces, and SQL, which no response may contain. */
    static final Pattern INTERNALS = Pattern.compile(
            "Exception|dev\\.tidemark|java\\.|javax?/|io\\.(vertx|netty|quarkus|smallrye)|Quarkus|\\bat [a-z]+\\.[a-z]+\\."
                    + "|(?i:\\bselect\\b.*\\bfrom\\b|order by|\\bwhere\\b|sqlstate|postgres(ql)?://|pgexception)");

    private ResponseContract() {}

    public static void check(FuzzedRequest request, RawResponse answer) throws IOException {
        assertThat(answer.status()).isLessThan(505).isNotEqualTo(500);
        assertThat(answer.header("X-Content-Type-Options")).contains("nosniff");
        if (answer.status() < 400) {
            assertThat(answer.status()).isIn(200, 304);
            return;
        }
        assertThat(answer.body()).doesNotContainPattern(INTERNALS);
        String requestId = answer.header("X-Request-Id").orElseThrow();
        if (!request.isHead()) {
            JsonNode body = JSON.readTree(answer.body());
            ProblemCode code = body.get("code").isInt() ? codeOfUniversalProblem(body) : codeOfProblem(body, requestId);
            assertThat(answer.status()).isEqualTo(code.status());
        }
    }

    private static ProblemCode codeOfUniversalProblem(JsonNode body) {
        assertThat(body.fieldNames()).toIterable().containsExactly("code", "message", "result");
        return Arrays.stream(ProblemCode.values())
                .filter(code -> code.number() == body.get("code").asInt())
                .findFirst()
                .orElseThrow();
    }

    private static ProblemCode codeOfProblem(JsonNode body, String requestId) {
        assertThat(body.fieldNames())
                .toIterable()
                .filteredOn(name -> !name.equals("parameter"))
                .containsExactly("type", "title", "status", "detail", "instance", "code", "request_id");
        assertThat(body.get("request_id").asText()).isEqualTo(requestId);
        return Arrays.stream(ProblemCode.values())
                .filter(code -> code.wireName().equals(body.get("code").asText()))
                .findFirst()
                .orElseThrow();
    }
}

package dev.tidemark.http.query;

import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A decoded query: every parameter with all of its values, in the sequence they came in. */
public record QueryString(Map<String, List<String>> parameters) {

    /**
     * @param raw what follows the question mark, or {@code null}; its encoding is known to be right
     */
    public static QueryString decode(String raw) {
        if (raw == null || raw.isEmpty()) {
            return new QueryString(Map.of());
        }
        if (raw.startsWith("=") || raw.contains("&=")) {
            throw Problem.of(ProblemCode.UNKNOWN_PARAMETER, "a parameter has no name");
        }
        // The decoder's default drops what comes after 1,024 parameters; the length of the URL is limit enough.
        return new QueryString(
                new QueryStringDecoder(raw, StandardCharsets.UTF_8, false, Integer.MAX_VALUE, true).parameters());
    }
}

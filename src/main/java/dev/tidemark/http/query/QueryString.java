package dev.tidemark.http.query;

import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A decoded query string.
 *
 * @param parameters every parameter with all of its values, in the order in which they were sent
 */
public record QueryString(Map<String, List<String>> parameters) {

    /**
     * @param raw the part of the URL after the question mark, or {@code null}; its percent-encoding has been validated
     * @throws Problem {@code unknown_parameter} if a parameter has no name
     */
    public static QueryString decode(@Nullable String raw) {
        if (raw == null || raw.isEmpty()) {
            return new QueryString(Map.of());
        }
        if (raw.startsWith("=") || raw.contains("&=")) {
            throw Problem.of(ProblemCode.UNKNOWN_PARAMETER, "a parameter has no name");
        }
        // By default, the decoder drops all parameters after the first 1,024. Here, only the maximum length of a URL
        // limits their number.
        return new QueryString(
                new QueryStringDecoder(raw, StandardCharsets.UTF_8, false, Integer.MAX_VALUE, true).parameters());
    }

    /**
     * Returns the value of a parameter that takes one value.
     *
     * @throws Problem {@code conflicting_parameters} if the parameter was sent more than once
     */
    public Optional<String> value(String name) {
        List<String> values = parameters.get(name);
        return values == null ? Optional.empty() : Optional.of(onlyValue(name, values));
    }

    /**
     * Returns which of these mutually exclusive parameters was sent; empty if none was sent.
     *
     * @throws Problem {@code conflicting_parameters} if more than one was sent
     */
    public Optional<String> findExclusiveParameter(List<String> names) {
        String found = null;
        for (String name : names) {
            if (parameters.containsKey(name)) {
                if (found != null) {
                    throw conflict(name, found);
                }
                found = name;
            }
        }
        return Optional.ofNullable(found);
    }

    public static Problem conflict(String one, String other) {
        return Problem.ofParameter(
                one, ProblemCode.CONFLICTING_PARAMETERS, one + " and " + other + " are mutually exclusive");
    }

    /** @throws Problem {@code conflicting_parameters} if there is more than one value */
    public static String onlyValue(String name, List<String> values) {
        if (values.size() > 1) {
            throw Problem.ofParameter(
                    name,
                    ProblemCode.CONFLICTING_PARAMETERS,
                    name + " takes one value, but " + values.size() + " were sent");
        }
        return values.get(0);
    }
}

package dev.tidemark.http;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A decoded query: every parameter with all of its values, in the sequence they came in. Taken apart here, for the
 * framework's decoder drops a name that is empty, and takes what follows it for the name.
 */
record QueryString(Map<String, List<String>> parameters) {

    /**
     * @param raw what follows the question mark, or {@code null}; its encoding is known to be right
     */
    static QueryString decode(String raw) {
        if (raw == null || raw.isEmpty()) {
            return new QueryString(Map.of());
        }
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String parameter : raw.split("&")) {
            if (!parameter.isEmpty()) {
                int equals = parameter.indexOf('=');
                String name = equals < 0 ? parameter : parameter.substring(0, equals);
                String value = equals < 0 ? "" : parameter.substring(equals + 1);
                parameters
                        .computeIfAbsent(QueryStringDecoder.decodeComponent(name), unseen -> new ArrayList<>(1))
                        .add(QueryStringDecoder.decodeComponent(value));
            }
        }
        return new QueryString(parameters);
    }
}

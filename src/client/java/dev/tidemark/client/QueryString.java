package dev.tidemark.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Builds the query of a URL, including the question mark. Empty if nothing is added. */
final class QueryString {

    private final StringBuilder query = new StringBuilder();

    void add(String name, List<String> values) {
        for (String value : values) {
            query.append(query.isEmpty() ? '?' : '&')
                    .append(encode(name))
                    .append('=')
                    .append(encode(value));
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return query.toString();
    }
}

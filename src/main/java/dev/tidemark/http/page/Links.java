package dev.tidemark.http.page;

import dev.tidemark.feed.ParameterNames;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import java.util.stream.Stream;

/**
 * The pages around a page, for the header {@code Link} (RFC 8288). The links are the request's own URL with another
 * cursor: what the client wrote stays as it wrote it, but for what says where in the list to read.
 *
 * @param path raw, as it came
 * @param query raw, as it came; {@code null} for none
 */
record Links(String path, String query) {

    /** Three links of a short query, two of them with a cursor. */
    private static final int USUAL_CHARS = 512;

    private static final String[] PLACES = concat(ParameterNames.JUMPS, ParameterNames.CURSOR);

    /** A page read backward has no end that it walks to. */
    private static final String[] PLACES_AND_END =
            concat(ParameterNames.JUMPS, ParameterNames.CURSOR, ParameterNames.UNTIL);

    private static String[] concat(List<String> names, String... more) {
        return Stream.concat(names.stream(), Stream.of(more)).toArray(String[]::new);
    }

    /** However long they are: to whoever follows them, a link left out is the end of the list. */
    String header(PageFacts facts) {
        StringBuilder header = new StringBuilder(USUAL_CHARS);
        facts.next().ifPresent(cursor -> add("next", PLACES, cursor, header));
        facts.previous().ifPresent(cursor -> add("prev", PLACES_AND_END, cursor, header));
        add("first", PLACES, null, header);
        return header.toString();
    }

    /** @param cursor {@code null} for none */
    private void add(String relation, String[] dropped, String cursor, StringBuilder header) {
        header.append(header.isEmpty() ? "<" : ", <");
        addUrl(dropped, cursor, header);
        header.append(">; rel=\"").append(relation).append('"');
    }

    private void addUrl(String[] dropped, String cursor, StringBuilder url) {
        escape(path, lastLeadingSlash(), path.length(), url);
        char separator = '?';
        int length = query == null ? 0 : query.length();
        for (int start = 0, end; start < length; start = end + 1) {
            end = query.indexOf('&', start);
            end = end < 0 ? length : end;
            if (end > start && !isOneOf(dropped, start, end)) {
                escape(query, start, end, url.append(separator));
                separator = '&';
            }
        }
        if (cursor != null) {
            url.append(separator).append("cursor=").append(cursor);
        }
    }

    /** A path that begins with two slashes is served like any other, and as a link it would name another server. */
    private int lastLeadingSlash() {
        int slash = 0;
        while (slash + 1 < path.length() && path.charAt(slash + 1) == '/') {
            slash++;
        }
        return slash;
    }

    /** Whether the parameter that stands there has one of these names, however the client has spelt it. */
    private boolean isOneOf(String[] names, int start, int end) {
        int equals = query.indexOf('=', start);
        int nameEnd = equals < 0 || equals > end ? end : equals;
        for (int i = start; i < nameEnd; i++) {
            if (query.charAt(i) == '%' || query.charAt(i) == '+') {
                return List.of(names).contains(QueryStringDecoder.decodeComponent(query.substring(start, nameEnd)));
            }
        }
        for (String name : names) {
            if (name.length() == nameEnd - start && query.startsWith(name, start)) {
                return true;
            }
        }
        return false;
    }

    /** Some characters that servers take raw are none of a URL's, and two of them would end the link. */
    private static void escape(String raw, int start, int end, StringBuilder url) {
        for (int i = start; i < end; i++) {
            char c = raw.charAt(i);
            if ("\"<>\\^`{|}[]".indexOf(c) < 0) {
                url.append(c);
            } else {
                url.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            }
        }
    }
}

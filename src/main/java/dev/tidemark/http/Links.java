package dev.tidemark.http;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.Set;

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

    private static final Set<String> PLACES = Set.of("cursor", "from", "around", "from_id", "around_id");
    /** A page read backward has no end that it walks to. */
    private static final Set<String> PLACES_AND_END =
            Set.of("cursor", "from", "around", "from_id", "around_id", "until");

    /** However long they are: to whoever follows them, a link left out is the end of the list. */
    String header(PageFacts facts) {
        StringBuilder header = new StringBuilder(USUAL_CHARS);
        facts.next().ifPresent(cursor -> add("next", PLACES, cursor, header));
        facts.previous().ifPresent(cursor -> add("prev", PLACES_AND_END, cursor, header));
        add("first", PLACES, null, header);
        return header.toString();
    }

    /** @param cursor {@code null} for none */
    private void add(String relation, Set<String> dropped, String cursor, StringBuilder header) {
        header.append(header.isEmpty() ? "<" : ", <");
        addUrl(dropped, cursor, header);
        header.append(">; rel=\"").append(relation).append('"');
    }

    private void addUrl(Set<String> dropped, String cursor, StringBuilder url) {
        escape(path, lastLeadingSlash(), path.length(), url);
        char separator = '?';
        int length = query == null ? 0 : query.length();
        for (int start = 0, end; start < length; start = end + 1) {
            end = query.indexOf('&', start);
            end = end < 0 ? length : end;
            if (end > start && !dropped.contains(name(start, end))) {
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

    private String name(int start, int end) {
        int equals = query.indexOf('=', start);
        String raw = query.substring(start, equals < 0 || equals > end ? end : equals);
        return raw.indexOf('%') < 0 && raw.indexOf('+') < 0 ? raw : QueryStringDecoder.decodeComponent(raw);
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

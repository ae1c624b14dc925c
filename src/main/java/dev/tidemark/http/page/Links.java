package dev.tidemark.http.page;

import dev.tidemark.feed.ParameterNames;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates the header {@code Link} (RFC 8288), with the URLs of the next and the previous page, if they exist, and of
 * the first page. Each URL is that of the request with another cursor, or without a cursor for the first page. Jumps
 * are dropped, and so is {@code until} in the URL of the previous page. All other parameters are kept.
 *
 * @param path the path of the request, not decoded
 * @param query the query of the request, not decoded; {@code null} if there is none
 */
record Links(String path, @Nullable String query) {

    /** Enough for three links with a short query, two of them with a cursor. */
    private static final int INITIAL_CHARS = 512;

    private static final String[] DROPPED_PARAMETERS = concat(ParameterNames.JUMPS, ParameterNames.CURSOR);

    /** {@code until} ends forward scrolls only, so the link to the previous page drops it. */
    private static final String[] DROPPED_FROM_PREVIOUS =
            concat(ParameterNames.JUMPS, ParameterNames.CURSOR, ParameterNames.UNTIL);

    private static String[] concat(List<String> names, String... more) {
        return Stream.concat(names.stream(), Stream.of(more)).toArray(String[]::new);
    }

    /**
     * Returns the value of the header. Links of any length are included, because clients interpret a missing link as
     * the end of the list.
     */
    String header(PageMembers members) {
        StringBuilder header = new StringBuilder(INITIAL_CHARS);
        members.next().ifPresent(cursor -> appendLink("next", DROPPED_PARAMETERS, cursor.text(), header));
        members.previous().ifPresent(cursor -> appendLink("prev", DROPPED_FROM_PREVIOUS, cursor.text(), header));
        appendLink("first", DROPPED_PARAMETERS, null, header);
        return header.toString();
    }

    /** @param cursor {@code null} for none */
    private void appendLink(String relation, String[] dropped, @Nullable String cursor, StringBuilder header) {
        header.append(header.isEmpty() ? "<" : ", <");
        appendUrl(dropped, cursor, header);
        header.append(">; rel=\"").append(relation).append('"');
    }

    private void appendUrl(String[] dropped, @Nullable String cursor, StringBuilder url) {
        appendEscaped(path, lastLeadingSlash(), path.length(), url);
        char separator = '?';
        String sent = query == null ? "" : query;
        int length = sent.length();
        for (int start = 0, end; start < length; start = end + 1) {
            end = sent.indexOf('&', start);
            end = end < 0 ? length : end;
            if (end > start && !hasName(dropped, sent, start, end)) {
                appendEscaped(sent, start, end, url.append(separator));
                separator = '&';
            }
        }
        if (cursor != null) {
            url.append(separator).append("cursor=").append(cursor);
        }
    }

    /**
     * Returns the index of the last leading slash. A path that begins with two slashes is served, but a link with such
     * a path would refer to another host.
     */
    private int lastLeadingSlash() {
        int slash = 0;
        while (slash + 1 < path.length() && path.charAt(slash + 1) == '/') {
            slash++;
        }
        return slash;
    }

    /** Returns whether the parameter at these indexes of the query has one of the names, percent-encoded or not. */
    private boolean hasName(String[] names, String sent, int start, int end) {
        int equals = sent.indexOf('=', start);
        int nameEnd = equals < 0 || equals > end ? end : equals;
        for (int i = start; i < nameEnd; i++) {
            if (sent.charAt(i) == '%' || sent.charAt(i) == '+') {
                return List.of(names).contains(QueryStringDecoder.decodeComponent(sent.substring(start, nameEnd)));
            }
        }
        for (String name : names) {
            if (name.length() == nameEnd - start && sent.startsWith(name, start)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Appends a part of the request's URL. Escapes characters that the server accepts but that a URL must not contain;
     * one of them, {@code >}, would end the link.
     */
    private static void appendEscaped(String raw, int start, int end, StringBuilder url) {
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

package dev.tidemark.http.caching;

import java.util.List;

/** What a client has already (RFC 9110, 13.1.2): a list of entity tags, or {@code *} for anything at all. */
final class IfNoneMatch {

    private final String field;
    private int at;

    private IfNoneMatch(String field) {
        this.field = field;
    }

    /**
     * Whether the tag is one that the client has, by weak comparison. A field of wrong syntax is as good as none: the
     * client then gets the whole answer.
     *
     * @param lines of the header, as often as it was sent
     */
    static boolean matches(List<String> lines, WeakTag tag) {
        return !lines.isEmpty()
                && new IfNoneMatch(lines.size() == 1 ? lines.get(0) : String.join(",", lines)).holds(tag.opaque());
    }

    private boolean holds(String opaque) {
        if (field.strip().equals("*")) {
            return true;
        }
        boolean found = false;
        while (true) {
            skip(true);
            if (at == field.length()) {
                return found;
            }
            int start = openingQuote() + 1;
            int end = start == 0 ? -1 : closingQuote(start);
            if (end < 0) {
                return false;
            }
            found |= end - start == opaque.length() && field.startsWith(opaque, start);
            at = end + 1;
            skip(false);
            if (at < field.length() && field.charAt(at) != ',') {
                return false;
            }
        }
    }

    /** Past white space, and past commas where a list may have empty elements. */
    private void skip(boolean commas) {
        while (at < field.length() && (isSpace(field.charAt(at)) || commas && field.charAt(at) == ',')) {
            at++;
        }
    }

    private int openingQuote() {
        int quote = field.startsWith("W/", at) ? at + 2 : at;
        return quote < field.length() && field.charAt(quote) == '"' ? quote : -1;
    }

    private int closingQuote(int start) {
        for (int i = start; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c == '"') {
                return i;
            }
            if (c <= ' ' || c == 0x7F) {
                return -1;
            }
        }
        return -1;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}

package dev.tidemark.inbox;

import jakarta.ws.rs.BadRequestException;

/**
 * Checks texts before they are written. Displayed texts can break these rules, because other programs can write to the
 * table.
 */
final class TextRules {

    static final int MAX_SUBJECT = 200;
    static final int MAX_BODY = 20_000;

    private TextRules() {}

    /** Rejects a request without content. */
    static <T> T requireContent(T content) {
        if (content == null) {
            throw new BadRequestException();
        }
        return content;
    }

    static void require(String text, int max) {
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException("a required text is missing");
        }
        check(text, max);
    }

    /** Accepts null, which means no change. */
    static void requireIfGiven(String text, int max) {
        if (text != null) {
            require(text, max);
        }
    }

    /** Checks the length, and rejects the character NUL, which PostgreSQL cannot store. */
    static void check(String text, int max) {
        if (text != null && (text.length() > max || text.indexOf('\0') >= 0)) {
            throw new IllegalArgumentException(
                    "a text must have at most " + max + " characters and must not contain NUL");
        }
    }
}

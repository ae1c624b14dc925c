package dev.tidemark.inbox;

import jakarta.ws.rs.BadRequestException;

/**
 * Checks texts before they are written. Displayed texts can break these rules, because other programs can write to the
 * table.
 */
final class TextRules {

    static final int MAX_SUBJECT_LENGTH = 200;
    static final int MAX_BODY_LENGTH = 20_000;

    private TextRules() {}

    /** Rejects a request without content. */
    static <T> T requireContent(T content) {
        if (content == null) {
            throw new BadRequestException();
        }
        return content;
    }

    static void require(String text, int maxLength) {
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException("a required text is missing");
        }
        check(text, maxLength);
    }

    /** Accepts null, which means no change. */
    static void requireIfGiven(String text, int maxLength) {
        if (text != null) {
            require(text, maxLength);
        }
    }

    /** Checks the length, and rejects the character NUL, which PostgreSQL cannot store. */
    static void check(String text, int maxLength) {
        if (text != null && (text.length() > maxLength || text.indexOf('\0') >= 0)) {
            throw new IllegalArgumentException(
                    "text must have at most " + maxLength + " characters and must not contain NUL");
        }
    }
}

package dev.tidemark.inbox;

import jakarta.ws.rs.BadRequestException;

/** What may be written. Anything may be shown: the table is the user's, and others write to it. */
final class TextRules {

    static final int MAX_SUBJECT = 200;
    static final int MAX_BODY = 20_000;

    private TextRules() {}

    /** A request without content is one that cannot be read. */
    static <T> T present(T content) {
        if (content == null) {
            throw new BadRequestException();
        }
        return content;
    }

    static void require(String text, int most) {
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException("a text is missing");
        }
        check(text, most);
    }

    /** What is null stays as it is. */
    static void requireIfGiven(String text, int most) {
        if (text != null) {
            require(text, most);
        }
    }

    /** PostgreSQL has no character NUL. */
    static void check(String text, int most) {
        if (text != null && (text.length() > most || text.indexOf('\0') >= 0)) {
            throw new IllegalArgumentException("a text has at most " + most + " characters, none of them NUL");
        }
    }
}

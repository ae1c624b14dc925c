package dev.tidemark.cursor;

/**
 * A token with which a client continues from an end of a page.
 *
 * @param text what the client gets
 * @param content what the text says apart from its floor. The entity tag of a page covers the content instead of the
 *     text, because the floor differs after each write to the database, even if the page is the same. Must be neither
 *     sent to clients nor modified
 */
public record Token(String text, byte[] content) {

    /** Omits both, because tokens must not appear in logs. */
    @Override
    public String toString() {
        return "Token";
    }
}

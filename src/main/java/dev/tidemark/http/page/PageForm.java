package dev.tidemark.http.page;

import java.nio.charset.StandardCharsets;

/** What stands around the items of a page and its facts, by protocol. */
public enum PageForm {
    CURSORS("{\"items\":[", "}"),
    UNIVERSAL("{\"code\":0,\"result\":{\"rows\":[", "}}");

    private final byte[] opening;
    private final byte[] closing;

    PageForm(String opening, String closing) {
        this.opening = opening.getBytes(StandardCharsets.US_ASCII);
        this.closing = closing.getBytes(StandardCharsets.US_ASCII);
    }

    /** What stands before the first item; not to be written to. */
    byte[] opening() {
        return opening;
    }

    /** What stands behind the facts; not to be written to. */
    byte[] closing() {
        return closing;
    }
}

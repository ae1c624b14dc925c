package dev.tidemark.http.page;

import java.nio.charset.StandardCharsets;

/** The JSON around the items and the facts of a page, by protocol. */
public enum PageEnvelope {
    CURSORS("{\"items\":[", "}"),
    UNIVERSAL("{\"code\":0,\"result\":{\"rows\":[", "}}");

    private final byte[] opening;
    private final byte[] closing;

    PageEnvelope(String opening, String closing) {
        this.opening = opening.getBytes(StandardCharsets.US_ASCII);
        this.closing = closing.getBytes(StandardCharsets.US_ASCII);
    }

    /** The JSON before the first item; must not be modified. */
    byte[] opening() {
        return opening;
    }

    /** The JSON after the facts; must not be modified. */
    byte[] closing() {
        return closing;
    }
}

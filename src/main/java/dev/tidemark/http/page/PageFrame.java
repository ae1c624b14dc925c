package dev.tidemark.http.page;

import java.nio.charset.StandardCharsets;

/** The JSON before the items of a page and after its last member. */
public enum PageFrame {
    /** For {@code GET /api/{feed}}. */
    API("{\"items\":[", "}"),
    /** For {@code GET /v3/{feed}}. */
    UNIVERSAL("{\"code\":0,\"result\":{\"rows\":[", "}}");

    private final byte[] opening;
    private final byte[] closing;

    PageFrame(String opening, String closing) {
        this.opening = opening.getBytes(StandardCharsets.US_ASCII);
        this.closing = closing.getBytes(StandardCharsets.US_ASCII);
    }

    /** The JSON before the first item. The array must not be modified. */
    byte[] opening() {
        return opening;
    }

    /** The JSON after the last member. The array must not be modified. */
    byte[] closing() {
        return closing;
    }
}

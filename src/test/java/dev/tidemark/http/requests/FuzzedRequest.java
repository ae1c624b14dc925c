package dev.tidemark.http.requests;

import java.util.List;

/**
 * A request with arbitrary content. Control characters, and spaces in the target, are replaced, so that it remains one
 * request.
 */
public record FuzzedRequest(String method, String target, List<String> headers) {

    public FuzzedRequest {
        target = target.replaceAll("[\\x00-\\x20\\x7f]", "_");
        headers = headers.stream()
                .map(header -> header.replaceAll("[\\x00-\\x1f\\x7f]", "_"))
                .toList();
    }

    public boolean isHead() {
        return method.equals("HEAD");
    }

    /** The request line and headers. The sender adds the header {@code Host} and the blank line at the end. */
    public String text() {
        return method + ' ' + target + " HTTP/1.1\r\n"
                + String.join(
                        "", headers.stream().map(header -> header + "\r\n").toList());
    }
}

package dev.tidemark.http;

import java.util.List;

/** A request line and headers that may be anything, but are one request: no ends of lines and no spaces in the target. */
record FuzzedRequest(String method, String target, List<String> headers) {

    FuzzedRequest {
        target = target.replaceAll("[\\x00-\\x20\\x7f]", "_");
        headers = headers.stream()
                .map(header -> header.replaceAll("[\\x00-\\x1f\\x7f]", "_"))
                .toList();
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    /** Without Host, which the connection adds. */
    String text() {
        return method + ' ' + target + " HTTP/1.1\r\n"
                + String.join(
                        "", headers.stream().map(header -> header + "\r\n").toList());
    }
}

package dev.tidemark.http.edge;

import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import java.util.Optional;

/**
 * The size and framing of a request, from one pass over its headers.
 *
 * @param chars the number of characters of all headers as sent, including a colon, a space and a line end for each
 * @param contentBytes the value of {@code Content-Length}; 0 without this header; {@link Long#MAX_VALUE} if it is
 *     malformed
 * @param accepts the number of lines with {@code Accept}
 * @param transferEncoding null if there is none, as is usual
 * @param contentType null if there is none
 */
record RequestHead(int chars, int hosts, int accepts, long contentBytes, String transferEncoding, String contentType) {

    private static final String HOST = "Host";
    private static final String ACCEPT = "Accept";
    private static final String CONTENT_LENGTH = "Content-Length";
    private static final String TRANSFER_ENCODING = "Transfer-Encoding";
    private static final String CONTENT_TYPE = "Content-Type";

    /**
     * Stands for several content types, and is never valid, because it is unspecified which one the framework would
     * use.
     */
    private static final String SEVERAL_TYPES = "";

    static RequestHead of(HttpServerRequest request) {
        int chars = 0;
        int hosts = 0;
        int accepts = 0;
        long contentBytes = 0;
        String transferEncoding = null;
        String contentType = null;
        for (Map.Entry<String, String> header : request.headers()) {
            String name = header.getKey();
            chars += name.length() + header.getValue().length() + 4;
            if (name.equalsIgnoreCase(HOST)) {
                hosts++;
            } else if (name.equalsIgnoreCase(ACCEPT)) {
                accepts++;
            } else if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
                contentBytes = bytes(header.getValue());
            } else if (name.equalsIgnoreCase(TRANSFER_ENCODING)) {
                transferEncoding = transferEncoding == null ? header.getValue() : transferEncoding + ", more";
            } else if (name.equalsIgnoreCase(CONTENT_TYPE)) {
                contentType = contentType == null ? header.getValue() : SEVERAL_TYPES;
            }
        }
        return new RequestHead(chars, hosts, accepts, contentBytes, transferEncoding, contentType);
    }

    /**
     * Returns why this server and a proxy in front of it could interpret the request differently (RFC 9112, 3.2 and
     * 6.3); empty if they cannot. One of them could then take a part of this request for the next one.
     */
    Optional<String> ambiguity() {
        if (hosts > 1) {
            return Optional.of("a request must have only one Host header");
        }
        if (hasTransferEncoding() && !transferEncoding.equalsIgnoreCase("chunked")) {
            return Optional.of("chunked is the only supported value of Transfer-Encoding");
        }
        return Optional.empty();
    }

    /**
     * Returns whether there is a {@code Transfer-Encoding}. The request may also have had a {@code Content-Length},
     * which the HTTP layer then drops.
     */
    boolean hasTransferEncoding() {
        return transferEncoding != null;
    }

    /**
     * Returns whether the content type is malformed. The framework responds to it with an internal error, even though
     * no resource reads content.
     */
    boolean hasUnreadableType() {
        try {
            return contentType != null && MediaType.valueOf(contentType) == null;
        } catch (IllegalArgumentException unreadable) {
            return true;
        }
    }

    private static long bytes(String length) {
        try {
            return Long.parseLong(length);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}

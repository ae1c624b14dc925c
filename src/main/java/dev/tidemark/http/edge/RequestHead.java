package dev.tidemark.http.edge;

import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import java.util.Optional;

/**
 * What of a request's headers says how large it is and where it ends, found in one look at all of them.
 *
 * @param chars of all headers as they stand in the request: a colon, a space and a line's end for each
 * @param contentBytes as they are announced; the greatest number where that cannot be read
 * @param transferEncoding null where there is none, as there should be
 * @param contentType null where there is none
 */
record RequestHead(int chars, int hosts, long contentBytes, String transferEncoding, String contentType) {

    private static final String HOST = "Host";
    private static final String CONTENT_LENGTH = "Content-Length";
    private static final String TRANSFER_ENCODING = "Transfer-Encoding";
    private static final String CONTENT_TYPE = "Content-Type";

    /** Which one the framework would take is its own affair. */
    private static final String SEVERAL_TYPES = "";

    static RequestHead of(HttpServerRequest request) {
        int chars = 0;
        int hosts = 0;
        long contentBytes = 0;
        String transferEncoding = null;
        String contentType = null;
        for (Map.Entry<String, String> header : request.headers()) {
            String name = header.getKey();
            chars += name.length() + header.getValue().length() + 4;
            if (name.equalsIgnoreCase(HOST)) {
                hosts++;
            } else if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
                contentBytes = bytes(header.getValue());
            } else if (name.equalsIgnoreCase(TRANSFER_ENCODING)) {
                transferEncoding = transferEncoding == null ? header.getValue() : transferEncoding + ", more";
            } else if (name.equalsIgnoreCase(CONTENT_TYPE)) {
                contentType = contentType == null ? header.getValue() : SEVERAL_TYPES;
            }
        }
        return new RequestHead(chars, hosts, contentBytes, transferEncoding, contentType);
    }

    /**
     * What could be read in two ways: by this server and by a proxy before it, one of which would then take a part of a
     * request for the next one (RFC 9112, 3.2 and 6.3).
     */
    Optional<String> ambiguity() {
        if (hosts > 1) {
            return Optional.of("a request has one Host");
        }
        if (hasTransferEncoding() && !transferEncoding.equalsIgnoreCase("chunked")) {
            return Optional.of("content comes with its length, or is chunked, and nothing else");
        }
        return Optional.empty();
    }

    /** A length beside it has been dropped by the HTTP layer, so that there may have been one. */
    boolean hasTransferEncoding() {
        return transferEncoding != null;
    }

    /** The framework takes it for a fault of its own when it cannot read the type of content, even where nobody wants any. */
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

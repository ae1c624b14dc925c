package dev.tidemark.http.connections;

import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The size and framing of a request, from one pass over its headers.
 *
 * @param headerChars the number of characters of all headers as sent, including a colon, a space and a line end for
 *     each
 * @param hostHeaders the number of {@code Host} headers
 * @param acceptHeaders the number of {@code Accept} headers
 * @param contentBytes the value of {@code Content-Length}; 0 without this header; {@link Long#MAX_VALUE} if it is
 *     malformed
 * @param transferEncoding null if there is none, as is usual
 * @param contentType null if there is none; {@link #SEVERAL_TYPES} if there are several
 */
public record RequestHead(
        int headerChars,
        int hostHeaders,
        int acceptHeaders,
        long contentBytes,
        @Nullable String transferEncoding,
        @Nullable String contentType) {

    private static final String HOST = "Host";
    private static final String ACCEPT = "Accept";
    private static final String CONTENT_LENGTH = "Content-Length";
    private static final String TRANSFER_ENCODING = "Transfer-Encoding";
    private static final String CONTENT_TYPE = "Content-Type";

    /**
     * Stands for several {@code Content-Type} headers. It is not a valid media type, so the request is rejected.
     * Otherwise, the framework could use any of the types.
     */
    private static final String SEVERAL_TYPES = "";

    public static RequestHead of(HttpServerRequest request) {
        int headerChars = 0;
        int hostHeaders = 0;
        int acceptHeaders = 0;
        long contentBytes = 0;
        String transferEncoding = null;
        String contentType = null;
        for (Map.Entry<String, String> header : request.headers()) {
            String name = header.getKey();
            headerChars += name.length() + header.getValue().length() + 4;
            if (name.equalsIgnoreCase(HOST)) {
                hostHeaders++;
            } else if (name.equalsIgnoreCase(ACCEPT)) {
                acceptHeaders++;
            } else if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
                contentBytes = parseLength(header.getValue());
            } else if (name.equalsIgnoreCase(TRANSFER_ENCODING)) {
                transferEncoding = transferEncoding == null ? header.getValue() : transferEncoding + ", more";
            } else if (name.equalsIgnoreCase(CONTENT_TYPE)) {
                contentType = contentType == null ? header.getValue() : SEVERAL_TYPES;
            }
        }
        return new RequestHead(headerChars, hostHeaders, acceptHeaders, contentBytes, transferEncoding, contentType);
    }

    /**
     * Returns the number of bytes of the whole head, including the request line: 14 and those of the method and URL.
     */
    public int bytes(HttpServerRequest request) {
        return headerChars + request.method().name().length() + request.uri().length() + 14;
    }

    /**
     * Returns why this server and a proxy in front of it could interpret the request differently (RFC 9112, 3.2 and
     * 6.3); empty if there is no reason. If they disagreed, one of them could mistake a part of this request for the
     * next request.
     */
    public Optional<String> ambiguity() {
        if (hostHeaders > 1) {
            return Optional.of("a request must have only one Host header");
        }
        if (transferEncoding != null && !transferEncoding.equalsIgnoreCase("chunked")) {
            return Optional.of("chunked is the only supported value of Transfer-Encoding");
        }
        return Optional.empty();
    }

    /**
     * Returns whether there is a {@code Transfer-Encoding}. The request may also have had a {@code Content-Length},
     * which the HTTP layer then drops.
     */
    public boolean hasTransferEncoding() {
        return transferEncoding != null;
    }

    /**
     * Returns whether the content type is malformed. The framework would respond to a malformed type with an internal
     * error, even though no resource reads content.
     */
    public boolean hasInvalidType() {
        try {
            return contentType != null && MediaType.valueOf(contentType) == null;
        } catch (IllegalArgumentException malformed) {
            return true;
        }
    }

    private static long parseLength(String length) {
        try {
            return Long.parseLong(length);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}

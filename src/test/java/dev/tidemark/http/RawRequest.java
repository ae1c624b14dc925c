package dev.tidemark.http;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Sends requests exactly as a test writes them, even if no HTTP client would send them, each over its own connection.
 */
public final class RawRequest {

    private RawRequest() {}

    /**
     * @param request the request line and headers, without {@code Host}, {@code Connection}, and the blank line at the
     *     end
     */
    public static RawResponse send(String request) {
        return send(request, "");
    }

    /** @param request as in {@link #send(String)}; it states the length of the body */
    public static RawResponse send(String request, String body) {
        return RawResponse.of(exchange(request + "\r\nHost: localhost\r\nConnection: close\r\n\r\n" + body));
    }

    public static RawResponse get(String target) {
        return send("GET " + target + " HTTP/1.1");
    }

    /**
     * @return everything that the server sends until it closes the connection; the call fails if the server leaves it
     *     open
     */
    public static String exchange(String bytes) {
        try (RawConnection connection = new RawConnection()) {
            connection.send(bytes);
            return connection.readAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

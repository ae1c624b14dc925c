package dev.tidemark.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;

/** A request byte by byte, for what no HTTP client would send. */
public final class RawRequest {

    /** What came back. */
    public record Answer(int status, String head, String body) {
        public Optional<String> header(String name) {
            return head.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst();
        }
    }

    private RawRequest() {}

    /** @param request its first line and headers, without the blank line at the end */
    public static Answer send(String request) {
        String answer = exchange(request + "\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        int end = answer.indexOf("\r\n\r\n");
        return new Answer(
                Integer.parseInt(answer.split(" ", 3)[1]), answer.substring(0, end), answer.substring(end + 4));
    }

    /** All that comes back until the server ends the connection, which it must. */
    public static String exchange(String bytes) {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        try (Socket socket = new Socket("localhost", port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Answer get(String target) {
        return send("GET " + target + " HTTP/1.1");
    }
}

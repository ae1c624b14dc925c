package dev.tidemark.http.export;

import dev.tidemark.http.RawConnection;
import dev.tidemark.http.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * An export whose client reads only when the test tells it to. The network buffers up to a few megabytes of unread
 * data.
 */
public final class SlowExport implements AutoCloseable {

    private final RawConnection connection;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();

    private SlowExport(RawConnection connection) {
        this.connection = connection;
    }

    static SlowExport open(String target, String... headers) throws IOException {
        return open(TestServer.port(), target, headers);
    }

    /**
     * Sends the request over HTTP/1.0, where the body is not divided into chunks.
     *
     * @param headers alternating names and values
     */
    public static SlowExport open(int port, String target, String... headers) throws IOException {
        SlowExport export = new SlowExport(new RawConnection(port, 4_096));
        StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.0\r\nHost: localhost\r\n");
        request.append("Accept: application/x-ndjson\r\n");
        for (int i = 0; i < headers.length; i += 2) {
            request.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        }
        export.connection.send(request + "\r\n");
        return export;
    }

    /** Reads this many more bytes. */
    public SlowExport read(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            int next = connection.read();
            if (next < 0) {
                throw new AssertionError("the export has ended: " + text());
            }
            received.write(next);
        }
        return this;
    }

    /** Reads everything until the connection ends. */
    public ExportedLines readAll() throws IOException {
        for (int next; (next = connection.read()) >= 0; ) {
            received.write(next);
        }
        return lines();
    }

    /** The complete lines that have been read. */
    public ExportedLines lines() {
        String text = text();
        return ExportedLines.of(text.substring(text.indexOf("\r\n\r\n") + 4));
    }

    int status() throws IOException {
        read("HTTP/1.1 200".length());
        return Integer.parseInt(text().substring(9, 12));
    }

    private String text() {
        return received.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}

package dev.tidemark.fault;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection that is used as no HTTP client would. */
final class RawClient implements AutoCloseable {

    private final Socket socket = new Socket();
    private final InputStream in;

    RawClient(int port) {
        try {
            // Before it is connected, or the other end is told of a larger window.
            socket.setReceiveBufferSize(4_096);
            socket.connect(new InetSocketAddress("localhost", port), 30_000);
            socket.setSoTimeout(30_000);
            in = new BufferedInputStream(socket.getInputStream(), 4_096);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    void get(String target) throws IOException {
        send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    /** One byte of what has come. */
    int read() throws IOException {
        return in.read();
    }

    /** An answer, to its end. */
    int status() throws IOException {
        String line = line();
        int status = Integer.parseInt(line.split(" ", 3)[1]);
        int length = 0;
        while (!(line = line()).isEmpty()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        line.substring("content-length:".length()).strip());
            }
        }
        in.skipNBytes(length);
        return status;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c; (c = in.read()) != '\n'; ) {
            if (c < 0) {
                throw new IOException("the connection has ended");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

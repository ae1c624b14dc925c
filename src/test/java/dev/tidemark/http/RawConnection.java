package dev.tidemark.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A connection over which a test can send requests that no HTTP client would send, and can leave responses unread. */
public final class RawConnection implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int SLOW_TIMEOUT_MILLIS = 30_000;

    private final Socket socket = new Socket();
    private final InputStream in;

    /** Connects to the server under test. */
    public RawConnection() throws IOException {
        this(TestServer.port());
    }

    public RawConnection(int port) throws IOException {
        connect(port, TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** @param receiveBufferBytes the size of the socket's receive buffer; a small one holds little unread data */
    public RawConnection(int port, int receiveBufferBytes) throws IOException {
        // Must be set before connecting; otherwise, TCP offers the server a larger window.
        socket.setReceiveBufferSize(receiveBufferBytes);
        connect(port, SLOW_TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream(), receiveBufferBytes);
    }

    private void connect(int port, int timeoutMillis) throws IOException {
        try {
            socket.connect(new InetSocketAddress("localhost", port), timeoutMillis);
        } catch (SocketException reset) {
            // A server that stops listening resets the connections that it has not accepted.
            throw (ConnectException) new ConnectException(reset.getMessage()).initCause(reset);
        }
        socket.setSoTimeout(timeoutMillis);
        socket.setTcpNoDelay(true);
    }

    public int localPort() {
        return socket.getLocalPort();
    }

    public void send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    public void sendGet(String target) throws IOException {
        send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    /** Tells the server that nothing more will be sent. Its responses can still be read. */
    public void sendEnd() throws IOException {
        socket.shutdownOutput();
    }

    /** The next byte; negative if the connection has ended. */
    public int read() throws IOException {
        return in.read();
    }

    /** Reads all bytes until the connection ends. */
    public String readAll() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    /**
     * Reads the next response. Closes the connection if the response has the header {@code Connection: close}, or a
     * body without a length. Of an event stream, reads only the first event.
     *
     * @param isHead whether the request was a HEAD request, whose response has no body
     */
    public RawResponse readResponse(boolean isHead) throws IOException {
        String head = head();
        RawResponse response = new RawResponse(Integer.parseInt(head.split(" ", 3)[1]), head, "");
        boolean bodiless = isHead || response.status() == 304 || response.status() == 204;
        int length = response.header("Content-Length").map(Integer::parseInt).orElse(bodiless ? 0 : -1);
        boolean isEndless = response.header("Content-Type")
                .filter(type -> type.startsWith("text/event-stream"))
                .isPresent();
        byte[] body;
        if (bodiless) {
            body = new byte[0];
        } else if (length >= 0) {
            body = in.readNBytes(length);
        } else {
            body = isEndless ? firstEvent() : in.readAllBytes();
        }
        if (length < 0
                || response.header("Connection")
                        .filter("close"::equalsIgnoreCase)
                        .isPresent()) {
            close();
        }
        return new RawResponse(response.status(), head, new String(body, StandardCharsets.UTF_8));
    }

    /** The first event of a stream follows what the server says about connecting again. */
    private byte[] firstEvent() throws IOException {
        byte[] block = block();
        return new String(block, StandardCharsets.UTF_8).contains("retry:") ? block() : block;
    }

    /** The lines up to the next empty one. */
    private byte[] block() throws IOException {
        ByteArrayOutputStream event = new ByteArrayOutputStream();
        int last = 0;
        for (int next = in.read(); next >= 0 && !(next == '\n' && last == '\n'); next = in.read()) {
            event.write(next);
            last = next;
        }
        return event.toByteArray();
    }

    private String head() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        for (int ends = 0; ends < 2; ) {
            int next = in.read();
            if (next < 0) {
                close();
                throw new EOFException("the server closed the connection after: " + head);
            }
            head.write(next);
            ends = next == '\n' ? ends + 1 : next == '\r' ? ends : 0;
        }
        return head.toString(StandardCharsets.ISO_8859_1).strip();
    }

    public boolean isClosed() {
        return socket.isClosed();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

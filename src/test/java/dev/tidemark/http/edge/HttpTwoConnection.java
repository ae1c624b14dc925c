package dev.tidemark.http.edge;

import dev.tidemark.http.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** An HTTP/2 connection at the level of frames (RFC 9113, section 4), for requests that no HTTP client would send. */
final class HttpTwoConnection implements AutoCloseable {

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GO_AWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    /** A SETTINGS parameter: SETTINGS_INITIAL_WINDOW_SIZE is 0. */
    static final byte[] ZERO_WINDOW = {0, 4, 0, 0, 0, 0};

    /** The increment of a WINDOW_UPDATE. */
    static final byte[] LARGE_WINDOW = {0x10, 0, 0, 0};

    static final int SETTINGS_MAX_CONCURRENT_STREAMS = 3;

    private static final int MAX_FRAME_SIZE = 16_384;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    record Frame(int type, int stream, byte[] payload) {

        Map<Integer, Integer> settings() {
            Map<Integer, Integer> settings = new HashMap<>();
            ByteBuffer bytes = ByteBuffer.wrap(payload);
            while (bytes.hasRemaining()) {
                settings.put((int) bytes.getShort(), bytes.getInt());
            }
            return settings;
        }

        String text() {
            return new String(payload, StandardCharsets.ISO_8859_1);
        }
    }

    private final Socket socket;
    private final DataOutputStream out;
    private final DataInputStream in;

    HttpTwoConnection() throws IOException {
        this(TestServer.port());
    }

    HttpTwoConnection(int port) throws IOException {
        socket = new Socket("localhost", port);
        socket.setSoTimeout(10_000);
        out = new DataOutputStream(socket.getOutputStream());
        in = new DataInputStream(socket.getInputStream());
        out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        send(SETTINGS, 0, 0, new byte[0]);
    }

    void send(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload);
        try {
            out.write(frame.array());
        } catch (IOException ended) {
            // The server may have closed the connection. Frames that it sent before can still be read.
            out.flush();
        }
    }

    void sendGet(int stream, String path) throws IOException {
        sendGet(stream, path, END_STREAM);
    }

    /** Sends the headers of a request whose content could follow. */
    void sendUnendedGet(int stream, String path) throws IOException {
        sendGet(stream, path, 0);
    }

    private void sendGet(int stream, String path, int flags) throws IOException {
        byte[] headers = encodeHeaders(path);
        for (int start = 0; start < headers.length; start += MAX_FRAME_SIZE) {
            int end = Math.min(headers.length, start + MAX_FRAME_SIZE);
            send(
                    start == 0 ? HEADERS : CONTINUATION,
                    (start == 0 ? flags : 0) | (end == headers.length ? END_HEADERS : 0),
                    stream,
                    Arrays.copyOfRange(headers, start, end));
        }
    }

    /**
     * The encoded headers of a GET request: the method and the scheme as indexes, the path and the host as literals
     * (RFC 7541, section 6).
     */
    static byte[] encodeHeaders(String path) {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.writeBytes(new byte[] {(byte) 0x82, (byte) 0x86, 0x04});
        int length = path.length();
        head.write(Math.min(length, 127));
        for (int rest = length - 127; rest >= 0; rest = rest < 128 ? -1 : rest >> 7) {
            head.write(rest < 128 ? rest : 128 | rest & 127);
        }
        head.writeBytes(path.getBytes(StandardCharsets.US_ASCII));
        head.writeBytes(new byte[] {0x01, 9});
        head.writeBytes("localhost".getBytes(StandardCharsets.US_ASCII));
        return head.toByteArray();
    }

    /** The next frame of this type. Other frames are skipped. */
    Frame await(int type) throws IOException {
        return await(frame -> frame.type() == type);
    }

    /** The next frame of this stream. Other frames are skipped. */
    Frame awaitFrameOf(int stream) throws IOException {
        return await(frame -> frame.stream() == stream);
    }

    private Frame await(Predicate<Frame> wanted) throws IOException {
        while (true) {
            int lengthAndType = in.readInt();
            in.readByte();
            int stream = in.readInt();
            Frame frame = new Frame(lengthAndType & 0xff, stream, in.readNBytes(lengthAndType >>> 8));
            if (wanted.test(frame)) {
                return frame;
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

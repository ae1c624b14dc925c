package dev.tidemark.http.edge;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads from Linux how often data has been retransmitted over TCP connections because the peer has not acknowledged it.
 * Java has no other access to this: it supports neither {@code TCP_INFO} nor {@code TCP_USER_TIMEOUT}.
 */
final class Retransmissions {

    /** The files of IPv4 and IPv6 sockets. The IPv6 file also contains IPv4 connections of IPv6 sockets. */
    private static final List<String> FILES = List.of("tcp", "tcp6");

    private static final int LOCAL_FIELD = 1;
    private static final int REMOTE_FIELD = 2;
    private static final int COUNT_FIELD = 6;
    private static final String NONE = "00000000";

    private final Path directory;

    /** @param directory {@code /proc/net}; if it does not exist, there are no retransmissions */
    Retransmissions(Path directory) {
        this.directory = directory;
    }

    /** The two ends of a connection. */
    record Ends(InetSocketAddress local, InetSocketAddress remote) {

        static Ends of(HttpConnection connection) {
            return new Ends(inetAddress(connection.localAddress(true)), inetAddress(connection.remoteAddress(true)));
        }

        private static InetSocketAddress inetAddress(SocketAddress address) {
            return new InetSocketAddress(address.hostAddress(), address.port());
        }
    }

    /**
     * Returns the connections whose peer has not acknowledged the oldest data, with the number of times that the data has
     * been retransmitted. Blocks.
     */
    Map<Ends, Integer> read() throws IOException {
        Map<Ends, Integer> counts = new HashMap<>();
        for (String name : FILES) {
            Path file = directory.resolve(name);
            if (Files.exists(file)) {
                try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
                    lines.readLine();
                    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                        add(line, counts);
                    }
                }
            }
        }
        return counts;
    }

    private static void add(String line, Map<Ends, Integer> counts) throws IOException {
        String[] fields = line.strip().split(" +");
        if (fields.length > COUNT_FIELD && !fields[COUNT_FIELD].equals(NONE)) {
            counts.put(
                    new Ends(address(fields[LOCAL_FIELD]), address(fields[REMOTE_FIELD])),
                    Integer.parseUnsignedInt(fields[COUNT_FIELD], 16));
        }
    }

    /** @param field the address as 32-bit words in the byte order of the processor, and the port, such as {@code 0100007F:1F90} */
    private static InetSocketAddress address(String field) throws IOException {
        int colon = field.indexOf(':');
        ByteBuffer bytes = ByteBuffer.allocate(colon / 2).order(ByteOrder.nativeOrder());
        for (int i = 0; i < colon; i += 8) {
            bytes.putInt(Integer.parseUnsignedInt(field, i, i + 8, 16));
        }
        return new InetSocketAddress(
                InetAddress.getByAddress(bytes.array()), Integer.parseInt(field, colon + 1, field.length(), 16));
    }
}

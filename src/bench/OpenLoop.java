import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Requests pages at constant rates, whether or not earlier requests have been answered (an <em>open loop</em>). A
 * request waits until a connection is free, and its time counts from when it was due. Otherwise, a slow server would
 * get fewer requests, and its pauses would hardly show in the times (<em>coordinated omission</em>).
 *
 * <pre>java OpenLoop.java PORT PATHS_FILE CONNECTIONS RATE:SECONDS…</pre>
 *
 * Each RATE:SECONDS is a phase. Requests that were due but not sent at its end are given up. Prints a line of JSON for
 * each phase, with the requests per second that were due, were served (status 200), were rejected (503), and were
 * neither (given up, any other status, or a closed connection); the median, the 99th percentile, and the maximum of
 * the times of the served and of the rejected requests, in microseconds; and in {@code last_bad} the time from the
 * start of the phase to the last answer that was not a page within a quarter of a second, in microseconds.
 */
final class OpenLoop {

    private static final long GOOD_NANOS = 250_000_000;

    private final InetSocketAddress address;
    private final ByteBuffer[] requests;
    private final Selector selector = Selector.open();
    private final ArrayDeque<Connection> idle = new ArrayDeque<>();
    private final ByteBuffer input = ByteBuffer.allocateDirect(1 << 18);
    private int nextRequest;
    private Times served = new Times();
    private Times rejected = new Times();
    private long start;
    private long lastBad;

    private OpenLoop(int port, List<String> paths, int connections) throws IOException {
        address = new InetSocketAddress("127.0.0.1", port);
        requests = paths.stream()
                .map(path -> "GET " + path + " HTTP/1.1\r\nHost: localhost:" + port + "\r\n\r\n")
                .map(head -> ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)))
                .toArray(ByteBuffer[]::new);
        for (int i = 0; i < connections; i++) {
            idle.add(new Connection());
        }
    }

    public static void main(String[] args) throws IOException {
        OpenLoop loop =
                new OpenLoop(Integer.parseInt(args[0]), Files.readAllLines(Path.of(args[1])), Integer.parseInt(args[2]));
        for (String phase : Arrays.copyOfRange(args, 3, args.length)) {
            String[] rateAndSeconds = phase.split(":");
            loop.run(Double.parseDouble(rateAndSeconds[0]), Double.parseDouble(rateAndSeconds[1]));
        }
    }

    private void run(double rate, double seconds) throws IOException {
        served = new Times();
        rejected = new Times();
        start = System.nanoTime();
        lastBad = start;
        long sent = 0;
        for (long elapsed; (elapsed = System.nanoTime() - start) < seconds * 1e9; ) {
            long due = (long) (elapsed / 1e9 * rate);
            while (sent < due && !idle.isEmpty()) {
                idle.poll().send(requests[nextRequest++ % requests.length], start + (long) (sent / rate * 1e9));
                sent++;
            }
            // While all connections are in use, only an answer changes anything.
            selector.select(this::onReady, sent < due ? 100 : 1);
        }
        double due = rate * seconds;
        System.out.printf(
                "{\"due\": %.0f, \"served\": %.0f, \"rejected\": %.0f, \"neither\": %.0f, %s, %s, \"last_bad\": %d}%n",
                rate,
                served.count / seconds,
                rejected.count / seconds,
                (due - served.count - rejected.count) / seconds,
                served.toJson("served"),
                rejected.toJson("rejected"),
                (lastBad - start) / 1000);
    }

    private void onReady(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        try {
            connection.receive();
        } catch (IOException closed) {
            connection.replace();
        }
    }

    private final class Connection {

        private SocketChannel channel;
        private long dueNanos;
        private int status;

        /** The number of bytes of the body that have not arrived; -1 until the head has. */
        private long missing;

        Connection() throws IOException {
            open();
        }

        private void open() throws IOException {
            channel = SocketChannel.open(address);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void send(ByteBuffer request, long dueNanos) {
            this.dueNanos = dueNanos;
            missing = -1;
            try {
                if (channel.write(request.duplicate()) < request.remaining()) {
                    throw new IOException("the request did not fit into the socket's buffer");
                }
            } catch (IOException closed) {
                replace();
            }
        }

        /** The head of a response must arrive at once, as small ones do. */
        void receive() throws IOException {
            int count = channel.read(input.clear());
            if (count < 0) {
                throw new IOException("closed");
            }
            input.flip();
            if (missing < 0) {
                String head = StandardCharsets.ISO_8859_1.decode(input.duplicate().limit(Math.min(count, 1024))).toString();
                int bodyStart = head.indexOf("\r\n\r\n") + 4;
                int length = head.toLowerCase().indexOf("content-length: ") + 16;
                if (bodyStart < 4 || length < 16) {
                    throw new IOException("no length: " + head);
                }
                status = Integer.parseInt(head, 9, 12, 10);
                missing = Long.parseLong(head, length, head.indexOf('\r', length), 10) - (count - bodyStart);
            } else {
                missing -= count;
            }
            if (missing == 0) {
                record();
                idle.add(this);
            }
        }

        private void record() {
            long now = System.nanoTime();
            if (status == 200) {
                served.add(now - dueNanos);
            } else if (status == 503) {
                rejected.add(now - dueNanos);
            }
            if (status != 200 || now - dueNanos > GOOD_NANOS) {
                lastBad = now;
            }
        }

        void replace() {
            lastBad = System.nanoTime();
            try {
                channel.close();
                open();
                idle.add(this);
            } catch (IOException e) {
                throw new IllegalStateException("the server accepts no connection", e);
            }
        }
    }

    private static final class Times {

        private long[] nanos = new long[1 << 16];
        private int count;

        void add(long time) {
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * count);
            }
            nanos[count++] = time;
        }

        String toJson(String name) {
            Arrays.sort(nanos, 0, count);
            List<String> figures = new ArrayList<>();
            figures.add("\"%s_p50\": %d".formatted(name, at(0.5)));
            figures.add("\"%s_p99\": %d".formatted(name, at(0.99)));
            figures.add("\"%s_max\": %d".formatted(name, at(1)));
            return String.join(", ", figures);
        }

        private long at(double share) {
            return count == 0 ? 0 : nanos[(int) Math.min(count - 1, share * count)] / 1000;
        }
    }
}

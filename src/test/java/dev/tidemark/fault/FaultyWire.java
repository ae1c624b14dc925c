package dev.tidemark.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes bytes between a server and its database, as badly as it is told to. */
final class FaultyWire implements AutoCloseable {

    /** What becomes of the database's bytes. */
    enum Mode {
        PASSED,
        /** A connection ends after the next thousand of them, in the middle of whatever they are. */
        CUT,
        /** A few at a time, each by itself. */
        CRUMBLED,
        /** A tenth of a second late, each time. */
        LATE
    }

    private static final int CUT_AFTER = 1_000;

    private final ServerSocket door;
    private final int database;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Mode mode = Mode.PASSED;

    FaultyWire(int database) throws IOException {
        this.database = database;
        this.door = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    void set(Mode changed) {
        mode = changed;
    }

    /** Ends all connections at once. */
    void cut() {
        open.forEach(FaultyWire::close);
    }

    @Override
    public void close() throws IOException {
        door.close();
        cut();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                try {
                    Socket server = new Socket("localhost", database);
                    client.setTcpNoDelay(true);
                    server.setTcpNoDelay(true);
                    open.add(client);
                    open.add(server);
                    start(() -> pass(client, server, false));
                    start(() -> pass(server, client, true));
                } catch (IOException away) {
                    close(client);
                }
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void pass(Socket from, Socket to, boolean answers) {
        byte[] bytes = new byte[16 * 1024];
        int left = CUT_AFTER;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read; (read = in.read(bytes)) > 0; ) {
                Mode now = answers ? mode : Mode.PASSED;
                switch (now) {
                    case PASSED -> out.write(bytes, 0, read);
                    case CUT -> {
                        out.write(bytes, 0, Math.min(read, left));
                        left -= read;
                        if (left <= 0) {
                            return;
                        }
                    }
                    case CRUMBLED -> {
                        for (int i = 0; i < read; i += 7) {
                            out.write(bytes, i, Math.min(7, read - i));
                        }
                    }
                    case LATE -> {
                        Thread.sleep(100);
                        out.write(bytes, 0, read);
                    }
                }
            }
        } catch (IOException | InterruptedException e) {
            // One side has gone; the other goes with it.
        } finally {
            close(from);
            close(to);
            open.remove(from);
            open.remove(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed, then.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "wire");
        thread.setDaemon(true);
        thread.start();
    }
}

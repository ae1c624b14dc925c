package dev.tidemark.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Forwards bytes between a client and a server, such as Tidemark and its database, and causes the faults that a test
 * requests.
 */
public final class FaultyProxy implements AutoCloseable {

    /** What happens to the bytes that the server sends. */
    public enum Mode {
        PASS,
        /** Each connection is closed after another thousand bytes, even in the middle of a message. */
        CUT,
        /** Each write is split into fragments of a few bytes. */
        FRAGMENT,
        /** Each write is delayed by a tenth of a second. */
        DELAY,
        /** Nothing arrives, and each connection stays open. */
        HOLD
    }

    private static final int CUT_AFTER_BYTES = 1_000;
    private static final int FRAGMENT_BYTES = 7;

    private final ServerSocket listener;
    private final int serverPort;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Mode mode = Mode.PASS;
    private volatile AtomicBoolean silenced = new AtomicBoolean();

    /** @param serverPort the port of the server */
    public FaultyProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** The number of open connections. */
    public int connections() {
        return sockets.size() / 2;
    }

    public void setMode(Mode changed) {
        mode = changed;
    }

    /** Closes all connections. */
    public void cut() {
        sockets.forEach(FaultyProxy::close);
    }

    /** Keeps existing connections open but forwards nothing over them. New connections work. */
    public void silence() {
        AtomicBoolean present = silenced;
        silenced = new AtomicBoolean();
        present.set(true);
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        listener.close();
        cut();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                try {
                    Socket server = new Socket("localhost", serverPort);
                    client.setTcpNoDelay(true);
                    server.setTcpNoDelay(true);
                    sockets.add(client);
                    sockets.add(server);
                    if (listener.isClosed()) {
                        // This connection was accepted while the proxy was being closed.
                        cut();
                    }
                    AtomicBoolean silence = silenced;
                    start(() -> forward(client, server, silence, false));
                    start(() -> forward(server, client, silence, true));
                } catch (IOException unreachable) {
                    close(client);
                }
            }
        } catch (IOException e) {
            // The proxy is closed.
        }
    }

    private void forward(Socket from, Socket to, AtomicBoolean silence, boolean fromServer) {
        byte[] bytes = new byte[16 * 1024];
        int left = CUT_AFTER_BYTES;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read; (read = in.read(bytes)) > 0 || silence.get(); ) {
                if (silence.get()) {
                    closed.await();
                    return;
                }
                switch (fromServer ? mode : Mode.PASS) {
                    case PASS -> out.write(bytes, 0, read);
                    case CUT -> {
                        out.write(bytes, 0, Math.min(read, left));
                        left -= read;
                        if (left <= 0) {
                            return;
                        }
                    }
                    case FRAGMENT -> {
                        for (int i = 0; i < read; i += FRAGMENT_BYTES) {
                            out.write(bytes, i, Math.min(FRAGMENT_BYTES, read - i));
                        }
                    }
                    case DELAY -> {
                        Thread.sleep(100);
                        out.write(bytes, 0, read);
                    }
                    case HOLD -> {
                        closed.await();
                        return;
                    }
                }
            }
        } catch (IOException | InterruptedException e) {
            // One end has closed the connection, so the other end is closed below.
        } finally {
            close(from);
            close(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // The socket counts as closed.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "proxy");
        thread.setDaemon(true);
        thread.start();
    }
}

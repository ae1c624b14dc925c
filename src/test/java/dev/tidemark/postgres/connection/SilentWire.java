package dev.tidemark.postgres.connection;

import dev.tidemark.local.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Passes bytes to the database and back, until it is silenced: then its connections stay open, and nothing passes. */
public final class SilentWire implements AutoCloseable {

    private final ServerSocket door;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile AtomicBoolean silenced = new AtomicBoolean();

    public SilentWire() throws IOException {
        door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    public int port() {
        return door.getLocalPort();
    }

    /** Of all connections that there are; those to come are not. */
    public void silence() {
        AtomicBoolean present = silenced;
        silenced = new AtomicBoolean();
        present.set(true);
    }

    @Override
    public void close() throws IOException {
        over.countDown();
        door.close();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Socket server = new Socket("localhost", TestPostgres.port());
                AtomicBoolean silence = silenced;
                start(() -> pass(client, server, silence));
                start(() -> pass(server, client, silence));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void pass(Socket from, Socket to, AtomicBoolean silence) {
        byte[] bytes = new byte[8192];
        try (from;
                to) {
            for (int read = 1; read > 0; ) {
                read = from.getInputStream().read(bytes);
                if (silence.get()) {
                    over.await();
                } else if (read > 0) {
                    to.getOutputStream().write(bytes, 0, read);
                }
            }
        } catch (IOException | InterruptedException e) {
            // One side has gone; the other goes with it.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "wire");
        thread.setDaemon(true);
        thread.start();
    }
}

package dev.tidemark.http;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A client that sends requests without end, without waiting for responses, and reads all responses. */
public final class PipeliningClient implements AutoCloseable {

    private final RawConnection connection;
    private final AtomicInteger pages = new AtomicInteger();

    public PipeliningClient(int port, String target) throws IOException {
        connection = new RawConnection(port);
        String requests = "GET %s HTTP/1.1\r\nHost: a\r\n\r\n".formatted(target).repeat(1_000);
        start(() -> {
            while (true) {
                connection.send(requests);
            }
        });
        start(() -> {
            while (connection.readResponse(false).status() == 200) {
                pages.incrementAndGet();
            }
        });
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // The connection is closed.
                    }
                },
                "pipelines");
        thread.setDaemon(true);
        thread.start();
    }

    /** The number of pages that were read. */
    public int pages() {
        return pages.get();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}

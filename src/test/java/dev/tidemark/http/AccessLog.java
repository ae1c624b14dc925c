package dev.tidemark.http;

import dev.tidemark.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The lines of the framework's access log while a test runs. */
public final class AccessLog extends Handler implements AutoCloseable {

    /** The field prevents the garbage collection of the logger and its handlers. */
    private final Logger logger = Logger.getLogger("io.quarkus.http.access-log");

    private final List<String> lines = new CopyOnWriteArrayList<>();

    public AccessLog() {
        logger.addHandler(this);
    }

    /** Waits for the line of the only response so far. The client can have received the response before. */
    public String onlyLine() {
        Await.until("the response is logged", () -> lines.size() == 1);
        return lines.get(0);
    }

    @Override
    public void publish(LogRecord record) {
        lines.add(record.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}

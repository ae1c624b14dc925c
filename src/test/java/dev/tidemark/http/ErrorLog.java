package dev.tidemark.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * The errors that are logged in any category while a test runs. A test that uses an error log holds {@link #LOCK}
 * exclusively. Tests that run in parallel with the Quarkus tests share the lock, because the log would also record
 * their errors.
 */
public final class ErrorLog extends Handler implements AutoCloseable {

    public static final String LOCK = "dev.tidemark.http.ErrorLog";

    private final Logger root = Logger.getLogger("");
    private final List<String> lines = new CopyOnWriteArrayList<>();

    public ErrorLog() {
        root.addHandler(this);
    }

    public List<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord record) {
        if (record.getLevel().intValue() >= Level.SEVERE.intValue()) {
            lines.add(record.getLoggerName() + ": " + record.getMessage() + " " + record.getThrown());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        root.removeHandler(this);
    }
}

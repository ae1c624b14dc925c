package dev.tidemark.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * The errors that the Quarkus application of the test logs in any category while the test runs. The errors of tests
 * that run beside Quarkus tests are left out: the threads of the application have the class loader of the application.
 */
public final class ErrorLog extends Handler implements AutoCloseable {

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
        if (record.getLevel().intValue() >= Level.SEVERE.intValue() && isFromApplication()) {
            lines.add(record.getLoggerName() + ": " + record.getMessage() + " " + record.getThrown());
        }
    }

    /** Whether the current thread belongs to the Quarkus application of the test. */
    public static boolean isFromApplication() {
        return Thread.currentThread().getContextClassLoader() == ErrorLog.class.getClassLoader();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        root.removeHandler(this);
    }
}

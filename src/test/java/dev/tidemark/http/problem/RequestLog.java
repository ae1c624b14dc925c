package dev.tidemark.http.problem;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The log lines of failed requests while a test runs. */
public final class RequestLog extends Handler implements AutoCloseable {

    /** The field prevents the garbage collection of the logger and its handlers. */
    private final Logger logger = Logger.getLogger(FailedRequestLog.CATEGORY);

    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    public RequestLog() {
        logger.addHandler(this);
    }

    List<LogRecord> records() {
        return records;
    }

    public List<String> lines() {
        return records.stream().map(LogRecord::getMessage).toList();
    }

    /** Sets the log level of the category, as the configuration can. */
    public void setCategoryLevel(Level level) {
        logger.setLevel(level);
    }

    @Override
    public void publish(LogRecord record) {
        records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.setLevel(null);
        logger.removeHandler(this);
    }
}

package dev.tidemark.postgres.rows;

/**
 * Receives rows in PostgreSQL's wire format, before the driver decodes them. A row that the driver decodes all the
 * same, because nothing takes it out of the stream, is a {@link DriverRow}.
 */
@FunctionalInterface
public interface WireRowReceiver {

    /**
     * @param row valid only until the next call, unless it is kept
     * @return whether the row is kept; it then stays unchanged until another row is kept or the answer ends
     */
    boolean receive(StatementRow row);

    /**
     * The size up to which a value is needed. The accessors of a larger value throw
     * {@link dev.tidemark.feed.read.OversizedValueException}, so that such a value takes no memory.
     */
    default int maxValueBytes() {
        return Integer.MAX_VALUE;
    }

    /** Whether the value of a column is read. The accessors of another value can throw the same exception. */
    default boolean reads(int column) {
        return true;
    }
}

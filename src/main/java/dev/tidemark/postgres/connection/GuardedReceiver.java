package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.rows.StatementRow;
import dev.tidemark.postgres.rows.WireRowReceiver;
import org.jspecify.annotations.Nullable;

/**
 * Passes rows to the receiver of a statement until it throws an exception. The exception fails only this statement, as
 * it does if the driver decodes the rows, and not the connection.
 */
class GuardedReceiver implements WireRowReceiver {

    private final RowReceiver<?> receiver;
    private volatile @Nullable RuntimeException failure;

    GuardedReceiver(RowReceiver<?> receiver) {
        this.receiver = receiver;
    }

    @Override
    public final boolean receive(StatementRow row) {
        try {
            return failure == null && receiver.receive(row);
        } catch (RuntimeException e) {
            failure = e;
            return false;
        }
    }

    @Override
    public final int maxValueBytes() {
        return receiver.maxValueBytes();
    }

    @Override
    public final boolean reads(int column) {
        return receiver.reads(column);
    }

    /** Returns what the receiver has thrown; {@code null} if nothing. */
    final @Nullable RuntimeException failure() {
        return failure;
    }
}

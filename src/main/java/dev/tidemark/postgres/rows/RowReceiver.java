package dev.tidemark.postgres.rows;

import io.vertx.sqlclient.Row;
import java.util.function.Function;
import java.util.stream.Collector;

/**
 * Receives the rows of one execution of a statement, and computes a result from them.
 *
 * @param <T> the type of the result
 */
public interface RowReceiver<T> extends WireRowReceiver {

    /**
     * Returns a collector for the rows that the driver decodes. The collector's finisher also runs if the driver
     * decodes no rows, and returns the result of all rows, including those passed to {@link #receive}.
     */
    Collector<Row, ?, T> collector();

    /** Whether the statement can be run again, because no row that was received has had a side effect. */
    boolean isRetryable();

    /** Whether rows in wire format can be passed to {@link #receive}. If not, the driver must decode all rows. */
    default boolean acceptsWireRows() {
        return false;
    }

    /** Called only if {@link #acceptsWireRows}. */
    @Override
    default boolean receive(StatementRow row) {
        throw new UnsupportedOperationException("only the driver can decode these rows");
    }

    /**
     * Returns the {@link #collector} of a receiver that accepts rows in wire format. It passes the rows that the
     * driver decodes to the receiver, too.
     */
    static <R extends RowReceiver<T>, T> Collector<Row, ?, T> collectorInto(R receiver, Function<R, T> result) {
        return Collector.of(
                () -> receiver, (same, row) -> same.receive(new DriverRow(row)), (one, other) -> one, result);
    }

    /** Returns a receiver of rows that the driver decodes. The collector must have no side effects. */
    static <T> RowReceiver<T> of(Collector<Row, ?, T> collector) {
        return new RowReceiver<>() {
            @Override
            public Collector<Row, ?, T> collector() {
                return collector;
            }

            @Override
            public boolean isRetryable() {
                return true;
            }
        };
    }
}

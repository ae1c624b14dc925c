package dev.tidemark.postgres.rows;

import io.vertx.sqlclient.Row;
import java.util.stream.Collector;

/**
 * Receives the rows of one statement and turns them into a result.
 *
 * @param <T> the type of the result
 */
public interface Rows<T> {

    /** Collects rows that the driver decodes. The result covers all rows, including those passed to {@link #wire}. */
    Collector<Row, ?, T> collector();

    /** Whether the statement can be retried, because no row has had a side effect. */
    boolean isRetryable();

    /** Returns the receiver of rows in wire format; {@code null} if the driver must decode them. */
    WireRows wire();

    /** Collects rows into a result without side effects. */
    static <T> Rows<T> decoded(Collector<Row, ?, T> collector) {
        return new Rows<>() {
            @Override
            public Collector<Row, ?, T> collector() {
                return collector;
            }

            @Override
            public boolean isRetryable() {
                return true;
            }

            @Override
            public WireRows wire() {
                return null;
            }
        };
    }
}

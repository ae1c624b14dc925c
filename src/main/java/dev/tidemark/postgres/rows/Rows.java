package dev.tidemark.postgres.rows;

import io.vertx.sqlclient.Row;
import java.util.stream.Collector;

/**
 * Where the rows of one statement go.
 *
 * @param <T> what they become
 */
public interface Rows<T> {

    /** Collects rows that the driver decodes. The result covers all rows, including those passed to {@link #wire}. */
    Collector<Row, ?, T> collector();

    /** Whether no row has arrived, so that the statement can be retried. */
    boolean isUntouched();

    /** Receives rows in wire format where possible; {@code null} if the driver must decode them. */
    WireRows wire();

    /** Collects rows into a result without side effects. */
    static <T> Rows<T> decoded(Collector<Row, ?, T> collector) {
        return new Rows<>() {
            @Override
            public Collector<Row, ?, T> collector() {
                return collector;
            }

            @Override
            public boolean isUntouched() {
                return true;
            }

            @Override
            public WireRows wire() {
                return null;
            }
        };
    }
}

package dev.tidemark.postgres.rows;

import io.vertx.sqlclient.Row;
import java.util.stream.Collector;

/**
 * Where the rows of one statement go.
 *
 * @param <T> what they become
 */
public interface Rows<T> {

    /** Takes them as the driver decodes them, and says what all of them, however they came, have become. */
    Collector<Row, ?, T> collector();

    /** Whether none has come, so that the statement may be run once more. */
    boolean isUntouched();

    /** Takes them as they come over the wire, where that is possible; {@code null} to have them decoded. */
    WireRows wire();

    /** Rows of which nothing is kept outside of the collector's result. */
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

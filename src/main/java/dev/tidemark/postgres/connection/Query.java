package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.Statement;
import io.vertx.sqlclient.Tuple;
import java.util.function.Supplier;

/**
 * A statement with its values, and what it takes to run it on a host.
 *
 * @param values all of them texts
 * @param receivers creates the receiver of the rows; called for each host that is tried
 */
public record Query<T>(
        Statement statement, Tuple values, Supplier<RowReceiver<T>> receivers, ReadPreference preference) {}

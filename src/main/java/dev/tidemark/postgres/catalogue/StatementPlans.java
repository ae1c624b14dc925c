package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.postgres.sql.Statement;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Plans statements that have parameters without running them. EXPLAIN checks the same privileges on relations,
 * columns, and functions as the statement itself.
 */
final class StatementPlans {

    /** Each statement is deallocated before the next one of the session is prepared. */
    private static final String NAME = "tidemark_explained";

    private StatementPlans() {}

    /** Returns the lines of the plan for any values. Several calls can be sent without waiting for the responses. */
    static Uni<List<String>> generic(SqlConnection connection, Statement statement) {
        return explain(
                connection,
                statement.sql(),
                "force_generic_plan",
                Collections.nCopies(statement.parameterCount(), "NULL"));
    }

    /** Returns the lines of the plan for these values. */
    static Uni<List<String>> custom(SqlConnection connection, String sql, List<String> values) {
        return explain(
                connection,
                sql,
                "force_custom_plan",
                values.stream()
                        .map(value -> value == null ? "NULL" : SqlQuoting.quoteLiteral(value))
                        .toList());
    }

    /**
     * The statements of one query are one transaction, which a rejected statement ends. It does not undo PREPARE, so
     * DEALLOCATE is sent in any case.
     */
    private static Uni<List<String>> explain(
            SqlConnection connection, String sql, String mode, List<String> arguments) {
        String explain = "EXPLAIN EXECUTE " + NAME
                + (arguments.isEmpty() ? "" : arguments.stream().collect(Collectors.joining(", ", "(", ")")));
        return Uni.combine()
                .all()
                .unis(
                        connection
                                .query("SET LOCAL plan_cache_mode = " + mode + "; PREPARE " + NAME + " AS " + sql + "; "
                                        + explain)
                                .execute(),
                        connection
                                .query("DEALLOCATE " + NAME)
                                .execute()
                                .onFailure()
                                .recoverWithNull())
                .with((results, deallocated) -> results.next().next().stream()
                        .map(row -> row.getString(0))
                        .toList());
    }
}

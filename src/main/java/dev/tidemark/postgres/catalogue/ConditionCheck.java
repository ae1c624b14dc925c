package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.ConditionFault;
import dev.tidemark.declare.Catalogue.TableCondition;
import dev.tidemark.declare.Table;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.postgres.connection.Failures;
import dev.tidemark.postgres.sql.Sql;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;
import java.util.List;
import java.util.Optional;

/** Checks declared SQL conditions by having PostgreSQL plan them. */
final class ConditionCheck {

    /** The setting for whether EXPLAIN requests plans from the servers that store the shards. */
    private static final String EXPLAIN_TASKS = "citus.explain_distributed_queries";

    private static final Optional<ConditionFault> CITUS_NOT_LOADED = Optional.of(new ConditionFault(
            false,
            "its table is distributed by Citus, but the server has not loaded this extension;"
                    + " add citus to shared_preload_libraries and restart the server"));

    private ConditionCheck() {}

    /** @return the fault of each condition, in the same order; an empty element for a valid condition */
    static Uni<List<Optional<ConditionFault>>> faults(Pool pool, List<TableCondition> conditions) {
        if (conditions.isEmpty()) {
            return Uni.createFrom().item(List.of());
        }
        return pool.withConnection(connection -> conditions.stream().anyMatch(ConditionCheck::isOverShards)
                ? faultsOverShards(conditions, connection)
                : faults(conditions, connection));
    }

    private static boolean isOverShards(TableCondition condition) {
        return condition.table().storage().shards().isPresent();
    }

    private static Uni<List<Optional<ConditionFault>>> faults(
            List<TableCondition> conditions, SqlConnection connection) {
        return Uni.join()
                .all(conditions.stream()
                        .map(condition -> fault(condition, connection))
                        .toList())
                .andFailFast();
    }

    /**
     * Checks conditions without connecting to the servers that store the shards, so that startup succeeds while one of
     * these servers is unreachable. If Citus is not loaded, distributed tables appear empty, so a fault is reported
     * for each condition on a distributed table, and the other conditions are not checked.
     */
    private static Uni<List<Optional<ConditionFault>>> faultsOverShards(
            List<TableCondition> conditions, SqlConnection connection) {
        return connection
                .query("SELECT pg_catalog.current_setting('" + EXPLAIN_TASKS + "', true) IS NOT NULL")
                .execute()
                .chain(loaded -> loaded.iterator().next().getBoolean(0)
                        ? connection
                                .query("SET " + EXPLAIN_TASKS + " = off")
                                .execute()
                                .chain(() -> faults(conditions, connection))
                                .eventually(() -> connection
                                        .query("RESET " + EXPLAIN_TASKS)
                                        .execute())
                        : Uni.createFrom()
                                .item(conditions.stream()
                                        .map(condition -> isOverShards(condition)
                                                ? CITUS_NOT_LOADED
                                                : Optional.<ConditionFault>empty())
                                        .toList()));
    }

    /**
     * Checks the condition in parentheses and in square brackets, so that a condition that closes a bracket early is a
     * fault: it cannot close both kinds.
     */
    private static Uni<Optional<ConditionFault>> fault(TableCondition condition, SqlConnection connection) {
        Table table = condition.table();
        String from = "EXPLAIN SELECT 1 FROM " + SqlQuoting.quoteIdentifier(table.schema()) + '.'
                + SqlQuoting.quoteIdentifier(table.name()) + " WHERE ";
        return Uni.combine()
                .all()
                .unis(
                        fault(from + Sql.inParentheses(condition.sql()), connection),
                        fault(from + "(ARRAY[\n" + condition.sql() + "\n])[1]", connection))
                .with((inParentheses, inArray) -> inParentheses.or(() -> inArray));
    }

    /**
     * Returns the fault that PostgreSQL reports for a statement. The statement is prepared, so that a condition that
     * contains several statements is a fault. It is prepared explicitly, so that the driver pipelines the checks.
     */
    private static Uni<Optional<ConditionFault>> fault(String statement, SqlConnection connection) {
        return connection
                .prepare(statement)
                .chain(prepared -> prepared.query().execute().onTermination().invoke(prepared::closeAndForget))
                .map(plan -> Optional.<ConditionFault>empty())
                .onFailure(
                        failure -> Rejections.isRejectedByDatabase(failure) || Rejections.isRejectedByDriver(failure))
                .recoverWithItem(failure -> Optional.of(
                        failure instanceof PgException error
                                ? new ConditionFault(Failures.isPrivilegeMissing(error), error.getErrorMessage())
                                : new ConditionFault(false, String.valueOf(failure.getMessage()))));
    }
}

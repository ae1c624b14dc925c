package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue;
import dev.tidemark.declare.Table;
import dev.tidemark.postgres.sql.Sql;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;
import java.util.List;
import java.util.Optional;

/** Checks declared SQL conditions by having PostgreSQL plan them. */
final class ConditionCheck {

    private final Pool pool;

    ConditionCheck(Pool pool) {
        this.pool = pool;
    }

    /** @return the fault of each condition, in the same order; empty if the condition is valid */
    Uni<List<Optional<String>>> faults(List<Catalogue.Condition> conditions) {
        return conditions.isEmpty()
                ? Uni.createFrom().item(List.of())
                : pool.withConnection(connection -> Uni.join()
                        .all(conditions.stream()
                                .map(condition -> fault(condition, connection))
                                .toList())
                        .andFailFast());
    }

    /**
     * Checks the condition in two kinds of brackets. A condition that closes one kind early cannot also close the
     * other.
     */
    private static Uni<Optional<String>> fault(Catalogue.Condition condition, SqlConnection connection) {
        Table table = condition.table();
        String from =
                "EXPLAIN SELECT 1 FROM " + Sql.quoted(table.schema()) + '.' + Sql.quoted(table.name()) + " WHERE ";
        return Uni.combine()
                .all()
                .unis(
                        fault(from + Sql.parenthesized(condition.sql()), connection),
                        fault(from + "(ARRAY[\n" + condition.sql() + "\n])[1]", connection))
                .with((parenthesized, inArray) -> parenthesized.or(() -> inArray));
    }

    /**
     * Prepares the statement because only a single statement can be prepared, and explicitly because the driver then
     * pipelines the others.
     */
    private static Uni<Optional<String>> fault(String statement, SqlConnection connection) {
        return connection
                .prepare(statement)
                .chain(prepared -> prepared.query().execute().onTermination().invoke(prepared::closeAndForget))
                .map(plan -> Optional.<String>empty())
                .onFailure(failure -> Rejections.isByDatabase(failure) || Rejections.isByDriver(failure))
                .recoverWithItem(failure -> Optional.of(
                        failure instanceof PgException refused ? refused.getErrorMessage() : failure.getMessage()));
    }
}

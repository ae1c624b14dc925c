package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.Derivation;
import dev.tidemark.declare.Catalogue.TableExpression;
import dev.tidemark.declare.Table;
import dev.tidemark.postgres.catalogue.ExpressionTree.Conversion;
import dev.tidemark.postgres.sql.Sql;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Has PostgreSQL parse the expressions of derived columns, and tells what it finds.
 *
 * <p>What an expression really uses, also by operators and casts, is in its parse tree, which PostgreSQL sends to a session
 * with {@code debug_print_parse} and {@code client_min_messages = log} when the session prepares a statement. Any role
 * may set both. Nothing is created or executed, so a role that can only read is enough; PostgreSQL also writes the tree to
 * its own log. The functions in the tree are looked up in {@code pg_proc}. The result of a scalar subquery without rows has
 * the type and the collation of the expression.
 */
final class DerivedColumns {

    private static final String BEGIN = "BEGIN READ ONLY";
    private static final String PRINT_TREES =
            "SET LOCAL debug_print_parse = on; SET LOCAL debug_pretty_print = off; SET LOCAL client_min_messages = log";

    /** Selects what makes an expression depend on more than its row, as a clause of a sentence. */
    private static final String MUTABLE = """
            SELECT 'it uses ' || p.oid::regprocedure FROM pg_catalog.pg_proc p
            WHERE p.oid = ANY (%1$s::oid[]) AND p.provolatile <> 'i'
            UNION ALL
            SELECT pg_catalog.format('it converts %%s to %%s, which depends on settings', s.oid::regtype, t.oid::regtype)
            FROM unnest(%2$s::oid[], %3$s::oid[]) c(source, target)
              JOIN pg_catalog.pg_type s ON s.oid = c.source JOIN pg_catalog.pg_type t ON t.oid = c.target
              JOIN pg_catalog.pg_proc o ON o.oid = s.typoutput JOIN pg_catalog.pg_proc i ON i.oid = t.typinput
            WHERE o.provolatile <> 'i' OR i.provolatile <> 'i'""";

    private DerivedColumns() {}

    /** @return what is found for each expression, in the same order */
    static Uni<List<Derivation>> derive(Pool pool, List<TableExpression> expressions) {
        return pool.withConnection(connection -> Uni.join()
                .all(expressions.stream()
                        .map(expression -> Uni.createFrom().deferred(() -> derive(connection, expression)))
                        .toList())
                .usingConcurrencyOf(1)
                .andFailFast());
    }

    private static Uni<Derivation> derive(SqlConnection connection, TableExpression expression) {
        Table table = expression.table();
        String from = " FROM " + Sql.relation(table.schema(), table.name());
        String selected = Sql.inParentheses(expression.sql());
        // As for a condition, an expression that closes a bracket early is a fault: it cannot close both kinds.
        String inArray = "SELECT (ARRAY[\n" + expression.sql() + "\n])[1]" + from;
        return tree(connection, "SELECT " + selected + from)
                .chain(tree -> tree(connection, inArray).replaceWith(tree))
                .chain(tree -> tree.fault().isPresent()
                        ? Uni.createFrom().item(Derivation.rejected(tree.fault().get()))
                        : mutability(connection, tree)
                                .chain(mutable -> mutable.isPresent()
                                        ? Uni.createFrom()
                                                .item(Derivation.rejected(
                                                        "must depend only on its row, but " + mutable.get()))
                                        : column(connection, expression, selected, from)))
                .onFailure(
                        failure -> Rejections.isRejectedByDatabase(failure) || Rejections.isRejectedByDriver(failure))
                .recoverWithItem(failure -> Derivation.rejected("is not a valid expression: "
                        + (failure instanceof PgException error
                                ? error.getErrorMessage()
                                : String.valueOf(failure.getMessage()))));
    }

    /** Prepares a statement, so that several statements are a fault, and returns the parse tree of its SELECT list. */
    private static Uni<ExpressionTree> tree(SqlConnection connection, String statement) {
        List<String> trees = new ArrayList<>();
        PgConnection notices = PgConnection.cast(connection.getDelegate());
        notices.noticeHandler(notice -> {
            if (String.valueOf(notice.getMessage()).startsWith("parse tree")) {
                trees.add(notice.getDetail());
            }
        });
        return connection
                .query(BEGIN)
                .execute()
                .chain(() -> connection.query(PRINT_TREES).execute())
                .chain(() -> {
                    trees.clear();
                    return connection.prepare(statement);
                })
                .chain(prepared -> prepared.close())
                .onTermination()
                .call(() -> {
                    notices.noticeHandler(null);
                    return connection.query("ROLLBACK").execute();
                })
                .map(done -> ExpressionTree.ofSelectList(trees.isEmpty() ? "" : trees.get(0)));
    }

    private static Uni<Optional<String>> mutability(SqlConnection connection, ExpressionTree tree) {
        return connection
                .query(MUTABLE.formatted(
                        array(tree.functions()),
                        array(tree.conversions().stream().map(Conversion::from).toList()),
                        array(tree.conversions().stream().map(Conversion::to).toList())))
                .execute()
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> row.getString(0))
                        .findFirst());
    }

    private static String array(List<Long> oids) {
        return oids.stream().map(Object::toString).collect(Collectors.joining(",", "'{", "}'"));
    }

    private static Uni<Derivation> column(
            SqlConnection connection, TableExpression expression, String selected, String from) {
        String value = "(SELECT " + selected + from + " LIMIT 0)";
        return connection
                .query("SELECT pg_catalog.pg_typeof(" + value + ")::oid::bigint, coalesce(pg_catalog.to_regcollation("
                        + "pg_catalog.pg_collation_for(" + value + "))::oid::bigint, 0)")
                .execute()
                .onFailure(DerivedColumns::hasNoCollation)
                .recoverWithUni(() -> connection
                        .query("SELECT pg_catalog.pg_typeof(" + value + ")::oid::bigint, 0::bigint")
                        .execute())
                .map(rows -> rows.iterator().next())
                .chain(row -> TableReader.derivedColumn(
                        connection, expression.name(), expression.sql(), row.getLong(0), row.getLong(1)))
                .map(Derivation::of);
    }

    /** Types such as numbers and times have no collation. */
    private static boolean hasNoCollation(Throwable failure) {
        return failure instanceof PgException error && "42804".equals(error.getSqlState());
    }
}

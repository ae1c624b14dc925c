package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.Derivation;
import dev.tidemark.declare.Catalogue.TableExpression;
import dev.tidemark.declare.Table;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.postgres.catalogue.ExpressionTree.Call;
import dev.tidemark.postgres.catalogue.ExpressionTree.Conversion;
import dev.tidemark.postgres.sql.Sql;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Has PostgreSQL parse the expressions of derived columns, and tells what it finds. Thread-safe.
 *
 * <p>What an expression really uses, also by operators and casts, is in its parse tree, which PostgreSQL sends to a
 * session with {@code debug_print_parse} and {@code client_min_messages = log} when the session prepares a statement.
 * Any role may set both. Nothing is created or executed, so a role that can only read is enough. PostgreSQL also
 * writes the tree to its own log, so it is asked for once, and again when the table, or a type or function in the
 * tree, has changed. What the functions in the tree depend on is read from {@code pg_proc} each time.
 */
final class DerivedColumns {

    private static final String PRINT_TREES =
            "BEGIN READ ONLY; SET LOCAL client_min_messages = log; SET LOCAL debug_pretty_print = off;"
                    + " SET LOCAL TimeZone = %s; SET LOCAL debug_print_parse = on";

    private static final String PRINT_NO_TREES = "SET LOCAL debug_print_parse = off";

    /** The hours by which the outermost time zones differ from UTC. Their dates are never the same. */
    private static final int EASTERNMOST = 14;

    private static final int WESTERNMOST = -12;

    /**
     * Selects a text that changes when the table, a type in the tree, or a function with the name of one in the tree
     * has changed, the column that the expression is, whether its type has collations, and what makes it depend on
     * more than its row, as a clause of a sentence.
     */
    private static final String FACTS = """
            SELECT pg_catalog.concat_ws('; ', (%8$s),
                (SELECT string_agg(oid || ' ' || xmin, ' ' ORDER BY oid) FROM pg_catalog.pg_type WHERE oid = ANY (%9$s::oid[])),
                (SELECT string_agg(oid || ' ' || xmin, ' ' ORDER BY oid) FROM pg_catalog.pg_proc WHERE proname IN
                  (SELECT proname FROM pg_catalog.pg_proc WHERE oid = ANY (%1$s::oid[])))),
              (SELECT a.attname::text FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = pg_catalog.to_regclass(%5$s) AND a.attnum = %6$s),
              (SELECT t.typcollation <> 0 FROM pg_catalog.pg_type t WHERE t.oid = %7$s),
              coalesce(
                (SELECT 'it uses ' || p.oid::regprocedure FROM pg_catalog.pg_proc p
                  WHERE p.oid = ANY (%1$s::oid[]) AND p.provolatile <> 'i' LIMIT 1),
                (SELECT 'it leaves arguments of ' || p.oid::regprocedure || ' to their defaults'
                  FROM unnest(%1$s::oid[], %2$s::int[]) c(function, arguments)
                  JOIN pg_catalog.pg_proc p ON p.oid = c.function WHERE c.arguments < p.pronargs LIMIT 1),
                (SELECT pg_catalog.format('it converts %%s to %%s, which depends on settings', s.oid::regtype, t.oid::regtype)
                  FROM unnest(%3$s::oid[], %4$s::oid[]) c(source, target)
                    JOIN pg_catalog.pg_type s ON s.oid = c.source JOIN pg_catalog.pg_type t ON t.oid = c.target
                    JOIN pg_catalog.pg_proc o ON o.oid = s.typoutput JOIN pg_catalog.pg_proc i ON i.oid = t.typinput
                  WHERE o.provolatile <> 'i' OR i.provolatile <> 'i' LIMIT 1))""";

    private final Pool pool;

    /** What was parsed last, by the statement that selects the expression. */
    private final Map<String, Parsed> parsed = new ConcurrentHashMap<>();

    /** @param version the first of {@link #FACTS} when the expression was parsed */
    private record Parsed(ExpressionTree tree, String version) {}

    DerivedColumns(Pool pool) {
        this.pool = pool;
    }

    /** @return what is found for each expression, in the same order */
    Uni<List<Derivation>> derive(List<TableExpression> expressions) {
        return pool.withConnection(connection -> Uni.join()
                .all(expressions.stream()
                        .map(expression -> Uni.createFrom().deferred(() -> derive(connection, expression)))
                        .toList())
                .usingConcurrencyOf(1)
                .andFailFast());
    }

    private Uni<Derivation> derive(SqlConnection connection, TableExpression expression) {
        return known(connection, expression)
                .onFailure(
                        failure -> Rejections.isRejectedByDatabase(failure) || Rejections.isRejectedByDriver(failure))
                .recoverWithItem(failure -> Derivation.rejected("is not a valid expression: "
                        + (failure instanceof PgException error
                                ? error.getErrorMessage()
                                : String.valueOf(failure.getMessage()))));
    }

    private Uni<Derivation> known(SqlConnection connection, TableExpression expression) {
        Parsed known = parsed.get(selectSql(expression));
        return known == null
                ? parse(connection, expression)
                : facts(connection, expression, known.tree())
                        .chain(facts -> known.version().equals(facts.getString(0))
                                ? derivation(connection, expression, known.tree(), facts)
                                : parse(connection, expression));
    }

    private static String selectSql(TableExpression expression) {
        return "SELECT " + Sql.inParentheses(expression.sql()) + fromSql(expression);
    }

    private static String fromSql(TableExpression expression) {
        return " FROM "
                + Sql.relation(expression.table().schema(), expression.table().name());
    }

    private Uni<Derivation> parse(SqlConnection connection, TableExpression expression) {
        // As for a condition, an expression that closes a bracket early is a fault: it cannot close both kinds.
        return connection
                .prepare("SELECT (ARRAY[\n" + expression.sql() + "\n])[1]" + fromSql(expression))
                .chain(prepared -> prepared.close())
                .chain(() -> withTree(connection, selectSql(expression), EASTERNMOST, tree -> Uni.createFrom()
                        .item(tree)))
                .chain(before -> withTree(
                        connection,
                        selectSql(expression),
                        WESTERNMOST,
                        tree -> check(connection, expression, tree, before)));
    }

    private Uni<Derivation> check(
            SqlConnection connection,
            TableExpression expression,
            Optional<ExpressionTree> printed,
            Optional<ExpressionTree> before) {
        if (printed.isEmpty() || before.isEmpty()) {
            return rejected("cannot be checked: PostgreSQL does not tell what it uses");
        }
        ExpressionTree tree = printed.get();
        Optional<String> fault = tree.fault();
        if (fault.isPresent()) {
            return rejected(fault.get());
        }
        if (!tree.hasConstantsOf(before.get(), Duration.ofHours(EASTERNMOST - WESTERNMOST))) {
            return rejected("must depend only on its row, and not on the time, as 'now' and 'today' do,"
                    + " or on the time zone");
        }
        return facts(connection, expression, tree).chain(facts -> {
            parsed.put(selectSql(expression), new Parsed(tree, facts.getString(0)));
            return derivation(connection, expression, tree, facts);
        });
    }

    private static Uni<Derivation> rejected(String fault) {
        return Uni.createFrom().item(Derivation.rejected(fault));
    }

    /**
     * Prepares a statement, so that several statements are a fault.
     *
     * @param timeZone the hours by which the time zone of the transaction differs from UTC
     * @param use what is done with the parse tree of what the statement selects. Until it has ended, a lock keeps the
     *     table as it is
     */
    private static <T> Uni<T> withTree(
            SqlConnection connection, String statement, int timeZone, Function<Optional<ExpressionTree>, Uni<T>> use) {
        List<String> printed = new ArrayList<>();
        PgConnection notices = PgConnection.cast(connection.getDelegate());
        return connection
                .query(PRINT_TREES.formatted(timeZone))
                .execute()
                .chain(() -> {
                    notices.noticeHandler(notice -> {
                        if (String.valueOf(notice.getMessage()).startsWith("parse tree")) {
                            printed.add(notice.getDetail());
                        }
                    });
                    return connection.prepare(statement);
                })
                .chain(prepared -> prepared.close())
                .chain(() -> connection.query(PRINT_NO_TREES).execute())
                .chain(() -> use.apply(printed.stream().findFirst().flatMap(ExpressionTree::ofSelectList)))
                .onTermination()
                .call(() -> {
                    notices.noticeHandler(null);
                    return connection.query("ROLLBACK").execute();
                });
    }

    private static Uni<Row> facts(SqlConnection connection, TableExpression expression, ExpressionTree tree) {
        List<Call> calls = tree.calls();
        List<Conversion> conversions = tree.conversions();
        return connection
                .query(FACTS.formatted(
                        ExpressionTree.array(calls, Call::function),
                        ExpressionTree.array(calls, call -> (long) call.arguments()),
                        ExpressionTree.array(conversions, Conversion::from),
                        ExpressionTree.array(conversions, Conversion::to),
                        SqlQuoting.quoteLiteral(expression.table().sqlName()),
                        tree.column().orElse(0),
                        tree.type(),
                        TableReader.versions(List.of(expression.table())),
                        ExpressionTree.array(tree.types(), Function.identity())))
                .execute()
                .map(rows -> rows.iterator().next());
    }

    private static Uni<Derivation> derivation(
            SqlConnection connection, TableExpression expression, ExpressionTree tree, Row facts) {
        String mutability = facts.getString(3);
        if (mutability != null) {
            return rejected("must depend only on its row, but " + mutability);
        }
        if (Boolean.TRUE.equals(facts.getBoolean(2)) && tree.collation().equals("0")) {
            return rejected("has no collation, because its parts have different ones; add COLLATE");
        }
        // A bare name in ORDER BY would mean a column of the SELECT list, which can have another type.
        Table table = expression.table();
        String sql = tree.column().isEmpty() || facts.getString(1) == null
                ? expression.sql()
                : SqlQuoting.quoteIdentifier(table.name()) + '.' + SqlQuoting.quoteIdentifier(facts.getString(1));
        return TableReader.derivedColumn(connection, expression.name(), sql, tree.type(), tree.collation())
                .map(column -> column.map(Derivation::of)
                        .orElseGet(() -> Derivation.rejected("cannot be checked while its type changes")));
    }
}

package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue;
import dev.tidemark.declare.Table;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.ArrayOf;
import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.connection.Failures;
import dev.tidemark.postgres.connection.FeedPools;
import dev.tidemark.postgres.connection.FirstAnswer;
import dev.tidemark.postgres.sql.ColumnTypes;
import dev.tidemark.postgres.sql.ServingIndexes;
import dev.tidemark.postgres.sql.Sql;
import io.smallrye.mutiny.Uni;
import io.vertx.core.impl.NoStackTraceThrowable;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowIterator;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;

/** Reads {@code pg_catalog}, as the role that will read the feeds. */
@Singleton
public class PgCatalogue implements Catalogue {

    private static final String RELATION = """
            SELECT c.oid::int8, n.nspname::text AS schema, c.relname::text AS name,
              pg_catalog.format('%I.%I', n.nspname, c.relname) AS sqlname, c.relkind::text AS kind,
              EXISTS (SELECT 1 FROM pg_catalog.pg_inherits WHERE inhparent = c.oid) AS isparent
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.oid = pg_catalog.to_regclass($1::text) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')""";

    /**
     * A domain is followed down to the type under it, of a column and of an array's elements. What is written as arrays are,
     * between commas, is an array.
     */
    private static final String COLUMNS = """
            WITH RECURSIVE base(attnum, oid, isarray) AS (
              SELECT attnum, atttypid, false FROM pg_catalog.pg_attribute
              WHERE attrelid = $1::int8::oid AND attnum > 0 AND NOT attisdropped
              UNION ALL
              SELECT b.attnum, CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.typelem END, b.isarray OR t.typtype <> 'd'
              FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.oid
              WHERE t.typtype = 'd'
                OR NOT b.isarray AND t.typoutput = 'pg_catalog.array_out'::regproc AND t.typdelim = ',')
            SELECT a.attname::text AS name, pg_catalog.quote_ident(a.attname) AS sqlname, a.attnotnull AS notnull,
              pg_catalog.format_type(bound.oid, -1) AS sqltype, leaf.isarray AS isarray,
              leaf.typname::text AS typname, leaf.typnamespace = 'pg_catalog'::regnamespace AS issystem,
              pg_catalog.pg_type_is_visible(leaf.oid) AS isvisible, leaf.typtype = 'e' AS isenum,
              ARRAY(SELECT enumlabel::text FROM pg_catalog.pg_enum
                    WHERE enumtypid = leaf.oid ORDER BY enumsortorder) AS labels,
              coalesce(coll.collisdeterministic, true) AS deterministic
            FROM pg_catalog.pg_attribute a
            JOIN LATERAL (SELECT t.* FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.oid
                  WHERE b.attnum = a.attnum AND t.typtype <> 'd'
                  ORDER BY b.isarray LIMIT 1) bound ON true
            JOIN LATERAL (SELECT t.*, b.isarray FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.oid
                  WHERE b.attnum = a.attnum AND t.typtype <> 'd'
                  ORDER BY b.isarray DESC LIMIT 1) leaf ON true
            LEFT JOIN pg_catalog.pg_collation coll ON coll.oid = a.attcollation
            WHERE a.attrelid = $1::int8::oid AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum""";

    /** Indexes that keep their columns unique at every moment, the primary key first. */
    private static final String KEYS = """
            SELECT i.indisprimary AS primary,
              ARRAY(SELECT a.attname::text FROM unnest(i.indkey::int2[]) WITH ORDINALITY k(attnum, place)
                    JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
                    WHERE k.place <= i.indnkeyatts ORDER BY k.place) AS columns
            FROM pg_catalog.pg_index i
            WHERE i.indrelid = $1::int8::oid AND i.indisunique AND i.indisvalid AND i.indimmediate
              AND i.indpred IS NULL AND i.indexprs IS NULL
            ORDER BY i.indisprimary DESC""";

    private final Pool pool;
    private final FirstAnswer firstAnswer;
    private final IndexInspection inspection;

    public PgCatalogue(Pool pool, FeedPools pools, ServingIndexes indexes) {
        this.pool = pool;
        this.firstAnswer = new FirstAnswer(pool, pools::handshake);
        this.inspection = new IndexInspection(pool, indexes);
    }

    @Override
    public Uni<Void> answers(Duration within) {
        return firstAnswer.within(within);
    }

    @Override
    public Uni<Optional<Table>> find(String table) {
        return pool.preparedQuery(RELATION)
                .execute(Tuple.of(table))
                // The name itself is malformed: there is no such table either.
                .onFailure(PgCatalogue::isFault)
                .recoverWithNull()
                .chain(rows -> {
                    RowIterator<Row> relation = rows == null ? null : rows.iterator();
                    return relation == null || !relation.hasNext()
                            ? Uni.createFrom().item(Optional.empty())
                            : describe(relation.next()).map(Optional::of);
                });
    }

    private Uni<Table> describe(Row relation) {
        Table.Kind kind = kind(relation);
        Tuple oid = Tuple.of(relation.getLong("oid"));
        return Uni.combine()
                .all()
                .unis(
                        pool.preparedQuery(COLUMNS).execute(oid),
                        pool.preparedQuery(KEYS).execute(oid))
                .with((columns, keys) -> {
                    List<Row> keyRows =
                            StreamSupport.stream(keys.spliterator(), false).toList();
                    Set<Set<String>> unique = new LinkedHashSet<>();
                    keyRows.forEach(key -> unique.add(new HashSet<>(List.of(key.getArrayOfStrings("columns")))));
                    return new Table(
                            relation.getString("schema"),
                            relation.getString("name"),
                            relation.getString("sqlname"),
                            kind,
                            StreamSupport.stream(columns.spliterator(), false)
                                    .map(column -> column(column, kind))
                                    .toList(),
                            keyRows.stream()
                                    .filter(key -> key.getBoolean("primary"))
                                    .findFirst()
                                    .map(key -> List.of(key.getArrayOfStrings("columns")))
                                    .orElse(List.of()),
                            unique);
                });
    }

    private static Table.Kind kind(Row relation) {
        return switch (relation.getString("kind")) {
            case "r" -> relation.getBoolean("isparent") ? Table.Kind.PARENT_TABLE : Table.Kind.TABLE;
            case "p" -> Table.Kind.PARTITIONED_TABLE;
            case "m" -> Table.Kind.MATERIALIZED_VIEW;
            default -> Table.Kind.VIEW;
        };
    }

    private static TableColumn column(Row row, Table.Kind kind) {
        ColumnType type = ColumnTypes.of(
                row.getString("typname"),
                row.getBoolean("issystem"),
                row.getBoolean("isvisible"),
                row.getBoolean("isenum") ? Optional.of(List.of(row.getArrayOfStrings("labels"))) : Optional.empty());
        return new TableColumn(
                new Column(
                        row.getString("name"),
                        row.getBoolean("isarray") ? new ArrayOf(type) : type,
                        row.getString("sqltype"),
                        kind.isKeyTrusted() || !row.getBoolean("notnull")),
                row.getString("sqlname"),
                row.getBoolean("deterministic"));
    }

    /** Asked twice, in two kinds of brackets: what closes the one to slip out of it cannot close the other. */
    @Override
    public Uni<Optional<String>> faultOf(Table table, String condition) {
        String from =
                "EXPLAIN SELECT 1 FROM " + Sql.quoted(table.schema()) + '.' + Sql.quoted(table.name()) + " WHERE ";
        return faultOf(from + Sql.parenthesized(condition))
                .chain(fault -> fault.isPresent()
                        ? Uni.createFrom().item(fault)
                        : faultOf(from + "(ARRAY[\n" + condition + "\n])[1]"));
    }

    private Uni<Optional<String>> faultOf(String statement) {
        return pool.preparedQuery(statement)
                .execute()
                .map(plan -> Optional.<String>empty())
                .onFailure(failure -> isFault(failure) || isUnsendable(failure))
                .recoverWithItem(failure -> Optional.of(
                        failure instanceof PgException refused ? refused.getErrorMessage() : failure.getMessage()));
    }

    /** What PostgreSQL has understood and refuses, as opposed to a database that does not answer, or not just now. */
    private static boolean isFault(Throwable failure) {
        return failure instanceof PgException refused && !Failures.isAway(refused) && !Failures.isPassing(refused);
    }

    /** What the driver refuses by itself: that a condition has parameters, for which there are no values. */
    private static boolean isUnsendable(Throwable failure) {
        return failure instanceof NoStackTraceThrowable
                && !Failures.isLost(failure)
                && !Failures.isAcquireTimeout(failure);
    }

    @Override
    public Uni<List<String>> unserved(Feed feed, Table table) {
        return inspection.inspect(feed, table);
    }
}

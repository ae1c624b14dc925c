package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue;
import dev.tidemark.declare.Table;
import dev.tidemark.declare.Table.Kind;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.postgres.catalogue.PlannedSort.TableName;
import dev.tidemark.propose.Inventory;
import dev.tidemark.propose.RelationFacts;
import dev.tidemark.propose.RelationFacts.ColumnFacts;
import dev.tidemark.propose.RelationFacts.NotifySql;
import dev.tidemark.propose.RelationFacts.NumberFacts;
import dev.tidemark.propose.RelationFacts.Reference;
import dev.tidemark.propose.RelationFacts.ViewKey;
import dev.tidemark.propose.RelationFacts.ViewTable;
import dev.tidemark.propose.UpdateTrigger;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Describes relations by their entries and statistics in {@code pg_catalog}, with the privileges of the role that
 * reads the feeds.
 */
@Singleton
public class PgInventory implements Inventory {

    /**
     * Selects, among other values, the estimated number of rows, which is -1 for a view, and before the first VACUUM
     * or ANALYZE. For a partitioned table, the estimate is the sum over the partitions, or -1 if one of them has no
     * estimate. For a view, selects the greatest estimate among the tables that it reads; before the first VACUUM or
     * ANALYZE of a table, a row counts as 100 bytes.
     */
    private static final String RELATION = """
            WITH RECURSIVE read(oid) AS (
              SELECT c.oid FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass($1::text) AND c.relkind = 'v'
              UNION
              SELECT part.oid FROM read CROSS JOIN LATERAL (
                SELECT inhrelid AS oid FROM pg_catalog.pg_inherits WHERE inhparent = read.oid
                UNION ALL
                SELECT d.refobjid FROM pg_catalog.pg_class v JOIN pg_catalog.pg_rewrite w ON w.ev_class = v.oid
                  JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = w.oid
                    AND d.refclassid = 'pg_catalog.pg_class'::regclass
                WHERE v.oid = read.oid AND v.relkind = 'v') part)
            SELECT pg_catalog.has_schema_privilege(c.relnamespace, 'USAGE')
                AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT') AS readable,
              c.relispopulated AS populated,
              CASE WHEN c.relkind = 'v' THEN -1
                WHEN c.relkind = 'p' THEN coalesce((SELECT CASE WHEN min(part.reltuples) >= 0 THEN sum(part.reltuples) ELSE -1 END
                    FROM pg_catalog.pg_partition_tree(c.oid) leaf JOIN pg_catalog.pg_class part ON part.oid = leaf.relid
                    WHERE leaf.isleaf), 0)
                ELSE c.reltuples END::float8 AS rows,
              (SELECT max(CASE WHEN t.relkind = 'f' THEN 'Infinity' WHEN t.reltuples >= 0 THEN t.reltuples
                  ELSE pg_catalog.pg_relation_size(t.oid) / 100 END)
                FROM read JOIN pg_catalog.pg_class t ON t.oid = read.oid AND t.relkind IN ('r', 'm', 'f'))::float8 AS rowsofbase
            FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass($1::text)""";

    private static final String COLUMNS = """
            SELECT a.attname::text AS name, pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT') AS readable,
              coalesce((SELECT pg_catalog.has_column_privilege(r.oid, a.attrelid, a.attnum, 'SELECT')
                FROM pg_catalog.pg_roles r WHERE r.rolname = $2::text), false) AS readablebyrole,
              a.attidentity <> '' OR coalesce(written.expression LIKE 'nextval(%', false) AS generated,
              coalesce(written.expression ~* '\\y(now|clock_timestamp|statement_timestamp|transaction_timestamp)\\(|\\y(current_timestamp|current_date|localtimestamp)\\y', false)
                AS defaultstonow,
              EXISTS (SELECT 1 FROM pg_catalog.pg_constraint f
                WHERE f.conrelid = a.attrelid AND f.contype = 'f' AND a.attnum = ANY (f.conkey)) AS refers,
              (SELECT r.relname::text FROM pg_catalog.pg_constraint f JOIN pg_catalog.pg_class r ON r.oid = f.confrelid
                WHERE f.conrelid = a.attrelid AND f.contype = 'f' AND f.conkey = ARRAY[a.attnum] ORDER BY f.oid LIMIT 1) AS referred,
              EXISTS (SELECT 1 FROM pg_catalog.pg_index i
                WHERE i.indrelid = a.attrelid AND i.indisvalid AND i.indkey[0] = a.attnum) AS indexed,
              s.n_distinct::float8 AS distinctvalues, s.null_frac::float8 AS nullfraction
            FROM pg_catalog.pg_attribute a
            JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
            LEFT JOIN LATERAL (SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid) AS expression) written ON true
            LEFT JOIN pg_catalog.pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = a.attname
              AND s.inherited = (c.relkind = 'p')
            WHERE a.attrelid = pg_catalog.to_regclass($1::text) AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum""";

    /**
     * Selects the row-level BEFORE UPDATE triggers, which have the bits 1, 2, and 16 set in {@code tgtype}. Each
     * argument of a trigger ends with a zero byte.
     */
    private static final String TRIGGERS = """
            SELECT t.tgname::text AS name, p.proname::text AS function, l.lanname::text AS language, p.prosrc AS source,
              pg_catalog.encode(t.tgargs, 'escape') AS arguments,
              t.tgattr::text <> '' OR t.tgqual IS NOT NULL
                AND pg_catalog.pg_get_triggerdef(t.oid) !~* 'WHEN \\(\\(old\\.\\* IS DISTINCT FROM new\\.\\*\\)\\)' AS limited
            FROM pg_catalog.pg_trigger t
            JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid JOIN pg_catalog.pg_language l ON l.oid = p.prolang
            WHERE t.tgrelid = pg_catalog.to_regclass($1::text) AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')
              AND t.tgtype & 19 = 19""";

    /** Selects the foreign keys that refer to the primary key of a table whose rows can be embedded. */
    private static final String REFERENCES = """
            SELECT n.nspname::text AS schema, r.relname::text AS name,
              pg_catalog.format('%I.%I', n.nspname, r.relname) AS sqlname,
              ARRAY(SELECT a.attname::text FROM unnest(f.confkey) WITH ORDINALITY k(attnum, place)
                JOIN pg_catalog.pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.attnum ORDER BY k.place) AS referenced,
              ARRAY(SELECT a.attname::text FROM unnest(f.conkey) WITH ORDINALITY k(attnum, place)
                JOIN pg_catalog.pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.attnum ORDER BY k.place) AS referring,
              ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
                WHERE a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped AND t.typcategory = 'S'
                  AND pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT') ORDER BY a.attnum) AS textcolumns
            FROM pg_catalog.pg_constraint f JOIN pg_catalog.pg_class r ON r.oid = f.confrelid
              JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
              JOIN pg_catalog.pg_index i ON i.indexrelid = f.conindid AND i.indisprimary
            WHERE f.conrelid = pg_catalog.to_regclass($1::text) AND f.contype = 'f' AND f.convalidated AND f.conparentid = 0
              AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
              AND NOT EXISTS (SELECT 1 FROM unnest(f.confkey) k WHERE NOT pg_catalog.has_column_privilege(r.oid, k, 'SELECT'))
              AND (r.relkind = 'p' OR NOT EXISTS (SELECT 1 FROM pg_catalog.pg_inherits WHERE inhparent = r.oid))
              AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger t WHERE t.tgrelid IN (r.oid, f.conrelid)
                AND t.tgfoid = pg_catalog.to_regproc('pg_catalog.citus_truncate_trigger'))
            ORDER BY f.conkey, f.oid""";

    /**
     * Selects the tables under a view that can have the trigger, and whose schemas the current role may use. A view
     * depends on the relations that its rule reads.
     */
    private static final String VIEW_TABLES = """
            WITH RECURSIVE read(oid) AS (
              SELECT c.oid FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass($1::text) AND c.relkind = 'v'
              UNION
              SELECT d.refobjid FROM read JOIN pg_catalog.pg_class v ON v.oid = read.oid AND v.relkind = 'v'
                JOIN pg_catalog.pg_rewrite w ON w.ev_class = v.oid
                JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = w.oid
                  AND d.refclassid = 'pg_catalog.pg_class'::regclass)
            SELECT n.nspname::text AS schema, c.relname::text AS name, pg_catalog.quote_ident(n.nspname) AS sqlschema,
              pg_catalog.format('%I.%I', n.nspname, c.relname) AS sqlname
            FROM read JOIN pg_catalog.pg_class c ON c.oid = read.oid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't' AND n.nspname <> 'information_schema'
              AND n.nspname !~ '^pg_' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
            ORDER BY n.nspname, c.relname""";

    private static final String DATABASE = """
            SELECT pg_catalog.quote_ident(pg_catalog.current_database()) AS name, pg_catalog.quote_ident($1::text) AS role,
              EXISTS (SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = $1::text) AS hasrole""";

    private final Pool pool;
    private final Catalogue catalogue;

    public PgInventory(Pool pool, Catalogue catalogue) {
        this.pool = pool;
        this.catalogue = catalogue;
    }

    @Override
    public Uni<List<Optional<RelationFacts>>> describe(List<String> relations, String role) {
        return catalogue.findTables(relations).chain(tables -> Multi.createFrom()
                .iterable(tables)
                .onItem()
                .transformToUniAndConcatenate(
                        table -> table.map(found -> describe(found, role).map(Optional::of))
                                .orElse(Uni.createFrom().item(Optional.empty())))
                .collect()
                .asList());
    }

    private Uni<RelationFacts> describe(Table table, String role) {
        Tuple name = Tuple.of(table.sqlName());
        return Uni.combine()
                .all()
                .unis(
                        pool.preparedQuery(RELATION).execute(name).chain(rows -> {
                            Row relation = rows.iterator().next();
                            return countRows(table, relation).map(count -> new CountedRelation(relation, count));
                        }),
                        pool.preparedQuery(COLUMNS).execute(Tuple.of(table.sqlName(), role)),
                        pool.preparedQuery(TRIGGERS).execute(name),
                        ViewKeys.find(pool, table.sqlName()),
                        ViewKeys.findNotNull(pool, table.sqlName()),
                        NotifyTrigger.inspect(pool, table.schema(), table.name()),
                        references(name),
                        viewTables(name),
                        UnindexableColumns.find(pool, Set.of(TableName.of(table))))
                .with(
                        (relation,
                                columns,
                                triggers,
                                viewKeys,
                                notNull,
                                notifyTrigger,
                                references,
                                viewTables,
                                unindexable) -> facts(
                                table,
                                relation,
                                columns.stream(),
                                triggers.stream(),
                                viewKeys,
                                notNull,
                                notifyTrigger,
                                references,
                                viewTables,
                                unindexable));
    }

    private record CountedRelation(Row relation, double rows) {}

    /** Counts the rows of a table without an estimate if they are few; otherwise, returns the estimate. */
    private Uni<Double> countRows(Table table, Row relation) {
        // The rows of a Citus table are in shards, usually on other servers, so pg_class has no estimate of their
        // number.
        double estimate = table.storage().shards().isPresent() ? -1 : relation.getDouble("rows");
        boolean isCountable = estimate < 0
                && table.kind() != Kind.VIEW_OR_FOREIGN_TABLE
                && table.storage().shards().isEmpty()
                && !table.storage().foreign();
        return !isCountable
                ? Uni.createFrom().item(estimate)
                : pool.query("SELECT count(*) FROM (SELECT 1 FROM " + table.sqlName() + " LIMIT "
                                + RelationFacts.SMALL_TABLE_ROWS + ") counted")
                        .execute()
                        .map(rows -> rows.iterator().next().getLong(0))
                        .map(count -> count < RelationFacts.SMALL_TABLE_ROWS ? (double) count : estimate)
                        // The current role cannot read the table, or it has no rows until it is refreshed.
                        .onFailure(PgException.class)
                        .recoverWithItem(estimate);
    }

    private Uni<List<Reference>> references(Tuple name) {
        return pool.preparedQuery(REFERENCES).execute(name).chain(rows -> Multi.createFrom()
                .iterable(rows)
                .onItem()
                .transformToUniAndConcatenate(
                        row -> NotifyTrigger.inspect(pool, row.getString("schema"), row.getString("name"))
                                .map(trigger -> reference(row, trigger)))
                .collect()
                .asList());
    }

    private Uni<List<ViewTable>> viewTables(Tuple view) {
        return pool.preparedQuery(VIEW_TABLES).execute(view).chain(rows -> Multi.createFrom()
                .iterable(rows)
                .onItem()
                .transformToUniAndConcatenate(row -> NotifyTrigger.inspect(
                                pool, row.getString("schema"), row.getString("name"))
                        .map(trigger -> Optional.of(trigger)
                                .filter(NotifyTrigger::isPossible)
                                .map(possible -> new ViewTable(
                                        row.getString("sqlschema"), row.getString("sqlname"), notifySql(possible)))))
                .collect()
                .asList()
                .map(tables -> tables.stream().flatMap(Optional::stream).toList()));
    }

    private static Reference reference(Row row, NotifyTrigger trigger) {
        Map<String, String> on = new LinkedHashMap<>();
        String[] referenced = row.getArrayOfStrings("referenced");
        String[] referring = row.getArrayOfStrings("referring");
        for (int i = 0; i < referenced.length; i++) {
            on.put(referenced[i], referring[i]);
        }
        return new Reference(
                row.getString("schema"),
                row.getString("name"),
                row.getString("sqlname"),
                on,
                List.of(row.getArrayOfStrings("textcolumns")),
                notifySql(trigger),
                true);
    }

    private static Optional<NotifySql> notifySql(NotifyTrigger trigger) {
        return trigger.isMissing()
                ? Optional.of(new NotifySql(trigger.createFunctionSql(), trigger.createTriggerSql()))
                : Optional.empty();
    }

    private static RelationFacts facts(
            Table table,
            CountedRelation counted,
            Stream<Row> columns,
            Stream<Row> triggers,
            List<ViewKey> viewKeys,
            Set<String> notNull,
            NotifyTrigger notifyTrigger,
            List<Reference> references,
            List<ViewTable> viewTables,
            UnindexableColumns unindexable) {
        Row relation = counted.relation();
        double rowCount = counted.rows();
        Double rowsOfBase = relation.getDouble("rowsofbase");
        Map<String, ColumnFacts> byName = columns.collect(Collectors.toMap(
                row -> row.getString("name"),
                row -> column(
                        row,
                        rowCount,
                        notNull,
                        unindexable
                                .reason(TableName.of(table), row.getString("name"))
                                .isEmpty()),
                (a, b) -> b,
                LinkedHashMap::new));
        return new RelationFacts(
                table,
                relation.getBoolean("readable"),
                relation.getBoolean("populated"),
                rowCount,
                rowCount >= 0
                        ? rowCount < RelationFacts.SMALL_TABLE_ROWS
                        : rowsOfBase != null && rowsOfBase < RelationFacts.SMALL_TABLE_ROWS,
                byName,
                triggers.map(PgInventory::trigger).toList(),
                viewKeys,
                notifySql(notifyTrigger),
                references,
                viewTables,
                Map.of());
    }

    /** A negative {@code n_distinct} is the number of distinct values per row, negated. */
    private static ColumnFacts column(Row row, double rowCount, Set<String> notNull, boolean indexable) {
        Double distinct = row.getDouble("distinctvalues");
        Double nullFraction = row.getDouble("nullfraction");
        return new ColumnFacts(
                row.getBoolean("readable"),
                row.getBoolean("readablebyrole"),
                row.getBoolean("generated"),
                row.getBoolean("defaultstonow"),
                row.getBoolean("refers"),
                Optional.ofNullable(row.getString("referred")),
                row.getBoolean("indexed"),
                notNull.contains(row.getString("name")),
                distinct == null || distinct == 0
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(distinct > 0 ? distinct : -distinct * rowCount),
                nullFraction == null ? OptionalDouble.empty() : OptionalDouble.of(nullFraction),
                indexable);
    }

    private static UpdateTrigger trigger(Row row) {
        return new UpdateTrigger(
                row.getString("name"),
                row.getString("function"),
                row.getString("language"),
                row.getString("source"),
                List.of(row.getString("arguments").split("\\\\000")),
                row.getBoolean("limited"));
    }

    @Override
    public Uni<Boolean> isKeyAtPresent(RelationFacts relation, List<String> columns) {
        String table = relation.table().sqlName();
        return pool.query("SELECT EXISTS (SELECT 1 FROM " + table + ") AS hasrows, verified.* FROM ("
                        + KeyVerification.sql(table, columns, List.of(), Optional.empty()) + ") verified")
                .execute()
                .map(rows -> rows.iterator().next())
                .map(row -> row.getBoolean("hasrows") && KeyVerification.isKey(row))
                // The statement fails if it times out, or if the relation cannot be read.
                .onFailure()
                .recoverWithItem(false);
    }

    @Override
    public Uni<Map<String, NumberFacts>> numbers(RelationFacts relation, List<String> columns) {
        List<String> quoted = columns.stream().map(SqlQuoting::quoteIdentifier).toList();
        String values = quoted.stream()
                .map(name -> "min(nullif(" + name + ", 0))::int8, max(nullif(" + name + ", 0))::int8, coalesce(bool_or("
                        + name + " = 0), false), coalesce(bool_or(" + name + " IS NULL), false)")
                .collect(Collectors.joining(", "));
        return pool.query("SELECT " + values + " FROM (SELECT " + String.join(", ", quoted) + " FROM "
                        + relation.table().sqlName() + " LIMIT 1000) sampled")
                .execute()
                .map(rows -> {
                    Row row = rows.iterator().next();
                    Map<String, NumberFacts> numbers = new LinkedHashMap<>();
                    for (int i = 0; i < columns.size(); i++) {
                        numbers.put(
                                columns.get(i),
                                new NumberFacts(
                                        number(row, 4 * i),
                                        number(row, 4 * i + 1),
                                        row.getBoolean(4 * i + 2),
                                        row.getBoolean(4 * i + 3)));
                    }
                    return numbers;
                })
                // The statement fails if it times out, or if the relation cannot be read.
                .onFailure()
                .recoverWithItem(Map.of());
    }

    private static OptionalLong number(Row row, int column) {
        Long number = row.getLong(column);
        return number == null ? OptionalLong.empty() : OptionalLong.of(number);
    }

    @Override
    public Uni<DatabaseFacts> database(String role) {
        return pool.preparedQuery(DATABASE)
                .execute(Tuple.of(role))
                .map(rows -> rows.iterator().next())
                .map(row -> new DatabaseFacts(row.getString("name"), row.getString("role"), row.getBoolean("hasrole")));
    }
}

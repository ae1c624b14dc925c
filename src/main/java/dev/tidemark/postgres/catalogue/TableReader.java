package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Table;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.ArrayType;
import dev.tidemark.feed.Feed.Relation.Storage;
import dev.tidemark.feed.SqlQuoting;
import dev.tidemark.feed.TextSources;
import dev.tidemark.postgres.sql.ColumnTypes;
import dev.tidemark.postgres.sql.Sql;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the definitions of tables and views, with their columns and keys, from {@code pg_catalog}. */
final class TableReader {

    /**
     * Follows views to the relations that they read, and parents to their children, at any depth, to find where the
     * rows are stored. A Citus table is recognized by its trigger for TRUNCATE.
     */
    private static final String RELATION = """
            WITH RECURSIVE storage(oid, kind) AS (
              SELECT c.oid, c.relkind FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass($1::text)
              UNION
              SELECT c.oid, c.relkind FROM storage s
              CROSS JOIN LATERAL (
                SELECT inhrelid AS oid FROM pg_catalog.pg_inherits WHERE inhparent = s.oid
                UNION ALL
                SELECT d.refobjid FROM pg_catalog.pg_rewrite w JOIN pg_catalog.pg_depend d
                  ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = w.oid
                    AND d.refclassid = 'pg_catalog.pg_class'::regclass
                WHERE w.ev_class = s.oid AND s.kind = 'v') part
              JOIN pg_catalog.pg_class c ON c.oid = part.oid)
            SELECT n.nspname::text AS schema, c.relname::text AS name,
              pg_catalog.quote_ident(n.nspname) AS sqlschema, pg_catalog.format('%I.%I', n.nspname, c.relname) AS sqlname,
              c.relkind::text AS kind,
              EXISTS (SELECT 1 FROM pg_catalog.pg_inherits WHERE inhparent = c.oid) AS isparent,
              (SELECT bool_or(kind = 'p') FROM storage) AS ispartitioned,
              (SELECT bool_or(kind = 'f') FROM storage) AS isforeign,
              (SELECT bool_or(kind = 'v' OR p.relrowsecurity) FROM storage JOIN pg_catalog.pg_class p ON p.oid = storage.oid)
                AS isfiltered,
              current_setting('server_version_num')::int >= 170000 AS removesnulltests,
              EXISTS (SELECT 1 FROM storage JOIN pg_catalog.pg_trigger t ON t.tgrelid = storage.oid
                WHERE t.tgfoid = pg_catalog.to_regproc('pg_catalog.citus_truncate_trigger')) AS issharded,
              (SELECT pg_catalog.format(
                 CASE WHEN p.relkind = 'v' THEN '%s is a view' WHEN p.relkind = 'f' THEN '%s is a foreign table'
                   WHEN citus.tgrelid IS NOT NULL THEN 'the rows of %s are in shards of Citus, whose servers each count their own transactions'
                   ELSE '%s is stored by the access method ' || am.amname END, p.oid::regclass)
               FROM storage JOIN pg_catalog.pg_class p ON p.oid = storage.oid
                 LEFT JOIN pg_catalog.pg_am am ON am.oid = p.relam
                 LEFT JOIN pg_catalog.pg_trigger citus ON citus.tgrelid = p.oid
                   AND citus.tgfoid = pg_catalog.to_regproc('pg_catalog.citus_truncate_trigger')
               WHERE p.relkind IN ('v', 'f') OR citus.tgrelid IS NOT NULL OR p.relkind <> 'p' AND am.amname <> 'heap'
               ORDER BY p.oid <> c.oid, p.relname LIMIT 1) AS norowversions
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.oid = pg_catalog.to_regclass($1::text) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')""";

    /**
     * The condition that a row {@code k} of {@code pg_cast} is about a cast to text with a function that was created
     * in this database. PostgreSQL's own functions have smaller OIDs.
     */
    private static final String IS_OWNERS_CAST_TO_TEXT =
            "k.casttarget = 'pg_catalog.text'::regtype AND k.castfunc >= 16384";

    /**
     * Resolves domains to their base types, also if the elements of an array are of a domain type. A type counts as an
     * array if its text form is that of an array with commas as delimiters. A column of a view or of a domain type has
     * no dimensions of its own; the dimensions of a domain are recorded in the domain's row in {@code pg_type}.
     *
     * <p>A type can refer to itself, as a composite type with an array of its own type does.
     */
    private static final String COLUMNS = """
            WITH RECURSIVE attribute(attnum, attname, atttypid, attndims, attcollation, isnotnull) AS (%1$s),
            base(attnum, oid, isarray, dimensions) AS (
              SELECT attnum, atttypid, false, attndims::int FROM attribute
              UNION ALL
              SELECT b.attnum, CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.typelem END, b.isarray OR t.typtype <> 'd',
                CASE WHEN b.isarray THEN b.dimensions ELSE greatest(b.dimensions, t.typndims) END
              FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.oid
              WHERE t.typtype = 'd'
                OR NOT b.isarray AND t.typoutput = 'pg_catalog.array_out'::regproc AND t.typdelim = ','),
            part(attnum, oid) AS (
              SELECT attnum, atttypid FROM attribute
              UNION
              SELECT p.attnum, inner_type.oid FROM part p JOIN pg_catalog.pg_type t ON t.oid = p.oid
              CROSS JOIN LATERAL (
                SELECT t.typbasetype AS oid WHERE t.typtype = 'd'
                UNION ALL
                SELECT t.typelem WHERE t.typtype <> 'd'
                UNION ALL
                SELECT x.atttypid FROM pg_catalog.pg_attribute x
                WHERE t.typtype = 'c' AND x.attrelid = t.typrelid AND x.attnum > 0 AND NOT x.attisdropped
                UNION ALL
                SELECT CASE t.oid WHEN r.rngtypid THEN r.rngsubtype ELSE r.rngtypid END FROM pg_catalog.pg_range r
                WHERE t.oid IN (r.rngtypid, r.rngmultitypid)) inner_type)
            SELECT a.attname::text AS name, pg_catalog.quote_ident(a.attname) AS sqlname,
              a.isnotnull AS notnull,
              ARRAY(SELECT p.oid::bigint FROM part p JOIN pg_catalog.pg_type t ON t.oid = p.oid
                    WHERE p.attnum = a.attnum AND t.typtype = 'e') AS enums,
              ARRAY(SELECT t.typrelid::bigint FROM part p JOIN pg_catalog.pg_type t ON t.oid = p.oid
                    WHERE p.attnum = a.attnum AND t.typtype = 'c') AS rowtypes,
              EXISTS (SELECT 1 FROM part p JOIN pg_catalog.pg_type t ON t.oid = p.oid
                      WHERE p.attnum = a.attnum AND t.typnamespace = 'pg_catalog'::regnamespace
                        AND (t.typname LIKE 'reg%%' OR t.typname IN ('aclitem', 'money')))
                OR EXISTS (SELECT 1 FROM pg_catalog.pg_cast k WHERE k.castsource = bound.oid AND %2$s) AS unbounded,
              pg_catalog.format_type(bound.oid, -1) AS sqltype, leaf.isarray AS isarray,
              least(greatest(leaf.dimensions, 1), 6) AS dimensions,
              leaf.typname::text AS typname, leaf.typnamespace = 'pg_catalog'::regnamespace AS issystem,
              pg_catalog.pg_type_is_visible(leaf.oid) AS isvisible, leaf.typtype = 'e' AS isenum,
              ARRAY(SELECT enumlabel::text FROM pg_catalog.pg_enum
                    WHERE enumtypid = leaf.oid ORDER BY enumsortorder) AS labels,
              coalesce(coll.collisdeterministic, true) AS deterministic,
              (SELECT pg_catalog.format('%%I.%%I', n.nspname, coll.collname) FROM pg_catalog.pg_namespace n
                WHERE n.oid = coll.collnamespace) AS collation
            FROM attribute a
            JOIN LATERAL (SELECT t.* FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.oid
                  WHERE b.attnum = a.attnum AND t.typtype <> 'd'
                  ORDER BY b.isarray LIMIT 1) bound ON true
            JOIN LATERAL (SELECT t.*, b.isarray, b.dimensions FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.oid
                  WHERE b.attnum = a.attnum AND t.typtype <> 'd'
                  ORDER BY b.isarray DESC LIMIT 1) leaf ON true
            LEFT JOIN pg_catalog.pg_collation coll ON coll.oid = a.attcollation
            ORDER BY a.attnum""";

    private static final String COLUMNS_OF_TABLE = COLUMNS.formatted(
            "SELECT attnum, attname, atttypid, attndims, attcollation, " + isNotNull("a")
                    + " FROM pg_catalog.pg_attribute a"
                    + " WHERE attrelid = pg_catalog.to_regclass($1::text) AND attnum > 0 AND NOT attisdropped",
            IS_OWNERS_CAST_TO_TEXT);

    /**
     * Selects the unique indexes that have only columns and no predicate, and are enforced immediately; the primary
     * key comes first.
     */
    private static final String KEYS = """
            SELECT i.indisprimary AS primary,
              ARRAY(SELECT a.attname::text FROM unnest(i.indkey::int2[]) WITH ORDINALITY k(attnum, place)
                    JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
                    WHERE k.place <= i.indnkeyatts ORDER BY k.place) AS columns,
              ARRAY(SELECT (SELECT pg_catalog.format('%I.%I', n.nspname, coll.collname)
                      FROM pg_catalog.pg_collation coll JOIN pg_catalog.pg_namespace n ON n.oid = coll.collnamespace
                      WHERE coll.oid = c.oid)
                    FROM unnest(i.indcollation::oid[]) WITH ORDINALITY c(oid, place) ORDER BY c.place) AS collations
            FROM pg_catalog.pg_index i
            WHERE i.indrelid = pg_catalog.to_regclass($1::text) AND i.indisunique AND i.indisvalid AND i.indimmediate
              AND i.indpred IS NULL AND i.indexprs IS NULL
            ORDER BY i.indisprimary DESC""";

    /**
     * The ids of the transactions that wrote the rows about each table, those about its NOT NULL constraints, and
     * those about the enums and composite types that its columns contain, and the casts to text.
     * Privileges on a table are in its row of {@code pg_class}, and those on columns in {@code pg_attribute}. VACUUM
     * and ANALYZE keep these ids.
     */
    private static final String VERSIONS = """
            SELECT coalesce((
              SELECT pg_catalog.concat_ws(' ', c.oid, c.xmin, n.xmin,
                (SELECT string_agg(a.xmin::text, ' ' ORDER BY a.attnum) FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid),
                (SELECT string_agg(i.indexrelid || ' ' || i.xmin, ' ' ORDER BY i.indexrelid)
                 FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid AND i.indisunique),
                (SELECT string_agg(k.oid || ' ' || k.xmin, ' ' ORDER BY k.oid)
                 FROM pg_catalog.pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'n'),
                (SELECT string_agg(e.oid || ' ' || e.xmin, ' ' ORDER BY e.oid)
                 FROM pg_catalog.pg_enum e WHERE e.enumtypid = ANY (f.enums::oid[])),
                (SELECT string_agg(a.attrelid || ' ' || a.attnum || ' ' || a.xmin, ' ' ORDER BY a.attrelid, a.attnum)
                 FROM pg_catalog.pg_attribute a WHERE a.attrelid = ANY (f.rowtypes::oid[]) AND a.attnum > 0),
                (SELECT string_agg(k.oid || ' ' || k.xmin, ' ' ORDER BY k.oid) FROM pg_catalog.pg_cast k WHERE %s))
              FROM pg_catalog.pg_namespace n JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid
              WHERE n.nspname = f.schema AND c.relname = f.name), '')
            FROM unnest(%s, %s, %s, %s) WITH ORDINALITY f(schema, name, enums, rowtypes, place) ORDER BY f.place""";

    private TableReader() {}

    /**
     * Returns the condition that a column cannot contain NULL. Since PostgreSQL 18, a NOT NULL constraint can be NOT
     * VALID: rows that were there before it can contain NULL.
     *
     * @param attribute the alias of {@code pg_attribute}
     */
    static String isNotNull(String attribute) {
        return """
                (%1$s.attnotnull AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint k WHERE k.conrelid = %1$s.attrelid
                  AND k.contype = 'n' AND NOT k.convalidated AND k.conkey = ARRAY[%1$s.attnum]))""".formatted(attribute);
    }

    static Uni<List<String>> findVersions(Pool pool, List<Table> tables) {
        // Several feeds can read the same table.
        Map<String, Table> byName = new LinkedHashMap<>();
        tables.forEach(table -> byName.putIfAbsent(table.sqlName(), table));
        List<Table> distinct = List.copyOf(byName.values());
        return pool.query(versions(distinct)).execute().map(rows -> {
            Map<String, String> versions = new HashMap<>();
            Iterator<Table> table = distinct.iterator();
            rows.forEach(row -> versions.put(table.next().sqlName(), row.getString(0)));
            return tables.stream()
                    .map(each -> versions.getOrDefault(each.sqlName(), ""))
                    .toList();
        });
    }

    /** Returns a statement that selects the version of each table. */
    static String versions(List<Table> tables) {
        return VERSIONS.formatted(
                IS_OWNERS_CAST_TO_TEXT,
                PrivilegeCheck.arrayLiteral(tables, Table::schema),
                PrivilegeCheck.arrayLiteral(tables, Table::name),
                PrivilegeCheck.arrayLiteral(
                        tables, table -> oids(table.textSources().enums())),
                PrivilegeCheck.arrayLiteral(
                        tables, table -> oids(table.textSources().rowTypes())));
    }

    private static String oids(List<Long> oids) {
        return oids.stream().map(Object::toString).collect(Collectors.joining(",", "{", "}"));
    }

    /**
     * @return the table of each name, in the same order; an empty element for a name that no table or view has, or
     *     that PostgreSQL rejects
     */
    static Uni<List<Optional<Table>>> find(Pool pool, List<String> names) {
        return names.isEmpty()
                ? Uni.createFrom().item(List.of())
                : pool.withConnection(connection -> Uni.join()
                        .all(names.stream()
                                .map(table -> find(table, connection))
                                .toList())
                        .andFailFast());
    }

    private static Uni<Optional<Table>> find(String table, SqlConnection connection) {
        return Uni.combine()
                .all()
                .unis(
                        queryRows(RELATION, table, connection),
                        queryRows(COLUMNS_OF_TABLE, table, connection),
                        queryRows(KEYS, table, connection))
                .with((relation, columns, keys) ->
                        relation.stream().findFirst().map(found -> table(found, columns, keys)))
                .chain(found ->
                        found.isPresent() && found.get().storage().shards().isPresent()
                                ? ShardReader.read(found.get(), connection).map(Optional::of)
                                : Uni.createFrom().item(found));
    }

    /**
     * Runs a statement about the table. The statement contains the name as a literal, because a statement with
     * parameters takes two round trips.
     *
     * @return no row if PostgreSQL rejects the name; {@link #nameFaults} returns the reason
     */
    private static Uni<List<Row>> queryRows(String sql, String table, SqlConnection connection) {
        return connection
                .query(sql.replace("$1", SqlQuoting.quoteLiteral(table)))
                .execute()
                .map(rows -> rows.stream().toList())
                .onFailure(Rejections::isRejectedByDatabase)
                .recoverWithItem(List.of());
    }

    /**
     * Returns the faults that PostgreSQL reports for the names: a missing privilege on a schema, or a malformed name.
     * A name without a fault may still be unknown.
     */
    static Uni<List<Optional<String>>> nameFaults(Pool pool, List<String> names) {
        return pool.withConnection(connection -> Uni.join()
                .all(names.stream().map(name -> nameFault(name, connection)).toList())
                .andFailFast());
    }

    private static Uni<Optional<String>> nameFault(String name, SqlConnection connection) {
        return connection
                .query("SELECT pg_catalog.to_regclass(" + SqlQuoting.quoteLiteral(name) + ")")
                .execute()
                .map(found -> Optional.<String>empty())
                .onFailure(Rejections::isRejectedByDatabase)
                .recoverWithItem(failure -> Optional.of(((PgException) failure).getErrorMessage()));
    }

    private static Table table(Row relation, List<Row> columns, List<Row> keys) {
        Table.Kind kind = kind(relation);
        Map<Set<String>, Map<String, String>> unique = new LinkedHashMap<>();
        keys.forEach(
                key -> unique.putIfAbsent(new HashSet<>(List.of(key.getArrayOfStrings("columns"))), collations(key)));
        return new Table(
                relation.getString("schema"),
                relation.getString("name"),
                relation.getString("sqlschema"),
                relation.getString("sqlname"),
                kind,
                new Storage(
                        relation.getBoolean("ispartitioned"),
                        relation.getBoolean("isforeign"),
                        relation.getBoolean("isfiltered"),
                        relation.getBoolean("issharded") ? Optional.of(ShardReader.UNKNOWN_SHARDS) : Optional.empty(),
                        relation.getBoolean("removesnulltests") && !relation.getBoolean("isforeign")),
                Optional.ofNullable(relation.getString("norowversions")),
                columns.stream().map(column -> column(column, kind)).toList(),
                keys.stream()
                        .filter(key -> key.getBoolean("primary"))
                        .findFirst()
                        .map(key -> List.of(key.getArrayOfStrings("columns")))
                        .orElse(List.of()),
                unique);
    }

    private static Map<String, String> collations(Row key) {
        String[] columns = key.getArrayOfStrings("columns");
        String[] collations = key.getArrayOfStrings("collations");
        Map<String, String> byColumn = new HashMap<>();
        for (int i = 0; i < columns.length; i++) {
            if (collations[i] != null) {
                byColumn.put(columns[i], collations[i]);
            }
        }
        return byColumn;
    }

    private static Table.Kind kind(Row relation) {
        return switch (relation.getString("kind")) {
            case "r" -> relation.getBoolean("isparent") ? Table.Kind.PARENT_TABLE : Table.Kind.TABLE;
            case "p" -> relation.getBoolean("isforeign") ? Table.Kind.PARENT_TABLE : Table.Kind.PARTITIONED_TABLE;
            case "m" -> Table.Kind.MATERIALIZED_VIEW;
            default -> Table.Kind.VIEW_OR_FOREIGN_TABLE;
        };
    }

    /**
     * Reads the type of an expression, as if it were a column.
     *
     * @param type the oid of its type
     * @param collation the oid of its collation; 0 if it has none
     * @return empty if there is no such type
     */
    static Uni<Optional<TableColumn>> derivedColumn(
            SqlConnection connection, String name, String sql, String type, String collation) {
        String attribute = "SELECT 1::int2, " + SqlQuoting.quoteLiteral(name) + "::name, " + type + "::oid, 0::int2, "
                + collation + "::oid, false";
        return connection
                .query(COLUMNS.formatted(attribute, IS_OWNERS_CAST_TO_TEXT))
                .execute()
                .map(rows -> rows.stream().findFirst().map(row -> {
                    TableColumn typed = column(row, Table.Kind.TABLE);
                    Column column = typed.column();
                    return new TableColumn(
                            new Column(name, column.type(), column.sqlType(), true, Optional.of(sql)),
                            sql.contains("\n") || sql.contains("--") ? Sql.inParentheses(sql) : '(' + sql + ')',
                            typed.deterministic(),
                            typed.collation(),
                            typed.textSources());
                }));
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
                        row.getBoolean("isarray") ? new ArrayType(type, row.getInteger("dimensions")) : type,
                        row.getString("sqltype"),
                        kind.isKeyTrusted() || !row.getBoolean("notnull")),
                row.getString("sqlname"),
                row.getBoolean("deterministic"),
                Optional.ofNullable(row.getString("collation")),
                new TextSources(
                        List.of(row.getArrayOfLongs("enums")),
                        List.of(row.getArrayOfLongs("rowtypes")),
                        row.getBoolean("unbounded")));
    }
}

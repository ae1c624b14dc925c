package dev.tidemark.postgres.catalogue;

import dev.tidemark.propose.RelationFacts.ViewKey;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the columns of a view that come from the columns of a unique key of a table, or from NOT NULL columns. */
final class ViewKeys {

    /**
     * The stored definition of a view contains the table and the column that each column of the view comes from. The
     * definition also contains the columns of subqueries, and identifies all columns only by their number. The origin
     * of a column therefore counts only if no column with the same number has another origin.
     *
     * <p>A view that PostgreSQL can update without a rule has one row for each row of one table that meets the
     * condition of the view, so a key of the table is a key of the view. The bit 16 means that rows can be deleted.
     */
    private static final String ORIGINS = """
            WITH view AS (
              SELECT c.oid, w.ev_action::text AS definition,
                c.relkind = 'v' AND pg_catalog.pg_relation_is_updatable(c.oid, false) & 16 = 16
                  AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_rewrite other WHERE other.ev_class = c.oid AND other.oid <> w.oid)
                  AS isupdatable
              FROM pg_catalog.pg_class c JOIN pg_catalog.pg_rewrite w ON w.ev_class = c.oid AND w.rulename = '_RETURN'
              WHERE c.oid = pg_catalog.to_regclass($1::text)),
            origin AS (
              SELECT found[1]::int AS attnum, min(found[2]::bigint)::oid AS "table", min(found[3]::int) AS "column"
              FROM view, pg_catalog.regexp_matches(definition,
                ':resno (\\d+) :resname (?:\\\\.|[^ \\\\])+ :ressortgroupref \\d+ :resorigtbl (\\d+) :resorigcol (\\d+) :resjunk false', 'g') found
              GROUP BY found[1] HAVING count(DISTINCT (found[2], found[3])) = 1)
            """;

    private static final String KEYS = ORIGINS + """
            SELECT keys.columns, view.isupdatable AND (t.relkind = 'p' OR t.relkind = 'r' AND NOT t.relhassubclass) AS certain
            FROM view, pg_catalog.pg_index i JOIN pg_catalog.pg_class t ON t.oid = i.indrelid
            CROSS JOIN LATERAL (
              SELECT array_agg(a.attname::text ORDER BY k.place) AS columns, count(*) AS found, bool_and(%s) AS notnull
              FROM unnest(i.indkey::int2[]) WITH ORDINALITY k(attnum, place)
              JOIN pg_catalog.pg_attribute base ON base.attrelid = i.indrelid AND base.attnum = k.attnum
              JOIN LATERAL (SELECT min(o.attnum) AS attnum FROM origin o
                WHERE o."table" = i.indrelid AND o."column" = k.attnum) o ON o.attnum IS NOT NULL
              JOIN pg_catalog.pg_attribute a ON a.attrelid = view.oid AND a.attnum = o.attnum
              WHERE k.place <= i.indnkeyatts) keys
            WHERE i.indrelid IN (SELECT "table" FROM origin) AND i.indisunique AND i.indisvalid AND i.indimmediate
              AND i.indpred IS NULL AND i.indexprs IS NULL AND keys.found = i.indnkeyatts AND keys.notnull
            ORDER BY certain DESC, i.indisprimary DESC, i.indnkeyatts, i.indexrelid""".formatted(TableReader.isNotNull("base"));

    private static final String NOT_NULL = ORIGINS + """
            SELECT a.attname::text AS name FROM view JOIN origin ON view.isupdatable
              JOIN pg_catalog.pg_attribute a ON a.attrelid = view.oid AND a.attnum = origin.attnum
              JOIN pg_catalog.pg_attribute base ON base.attrelid = origin."table" AND base.attnum = origin."column"
            WHERE %s""".formatted(TableReader.isNotNull("base"));

    private ViewKeys() {}

    /**
     * @return the columns of a view that are never NULL, because they are NOT NULL columns of the one table under it;
     *     empty if the relation is not such a view
     */
    static Uni<Set<String>> findNotNull(Pool pool, String view) {
        return pool.preparedQuery(NOT_NULL)
                .execute(Tuple.of(view))
                .map(rows -> rows.stream().map(row -> row.getString("name")).collect(Collectors.toSet()));
    }

    /**
     * @return first the keys that are certainly unique in the view, then the others; empty if the relation is not a
     *     view
     */
    static Uni<List<ViewKey>> find(Pool pool, String view) {
        return pool.preparedQuery(KEYS).execute(Tuple.of(view)).map(rows -> rows.stream()
                .map(row -> new ViewKey(List.of(row.getArrayOfStrings("columns")), row.getBoolean("certain")))
                .toList());
    }
}

package dev.tidemark.postgres.catalogue;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.Set;

/**
 * The trigger that sends a notification for each statement that changes a table. However often a transaction changes a
 * table, PostgreSQL delivers a single notification. Several triggers, one for each kind of change, can take its place:
 * their notifications can name values of the changed rows (see {@code what-is-new.md}).
 *
 * @param isPossible whether the relation can have a trigger that fires when the relation is changed; false for views
 *     and foreign tables, and for Citus tables, whose changes are made to shards
 * @param isPresent whether the trigger exists, is enabled, and fires for all kinds of changes
 * @param schema the schema, quoted if necessary
 * @param table the table with its schema, both quoted if necessary
 * @param version differs if another relation has taken this name, or if columns or partitions were added
 * @param looseColumns the columns with a nondeterministic collation, in which values with different texts can be equal
 */
public record NotifyTrigger(
        boolean isPossible, boolean isPresent, String schema, String table, String version, Set<String> looseColumns) {

    public static final String CHANNEL = "tidemark";

    /**
     * Identifies the trigger by its function's name, in any schema. In {@code tgtype}, the bits of 60 stand for
     * INSERT, DELETE, UPDATE, and TRUNCATE, and the bits of 66 for BEFORE and INSTEAD OF.
     */
    private static final String INSPECT = """
            SELECT c.relkind IN ('r', 'p') AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger t
                WHERE t.tgrelid = c.oid AND t.tgfoid = pg_catalog.to_regproc('pg_catalog.citus_truncate_trigger')),
              pg_catalog.quote_ident(n.nspname), pg_catalog.format('%I.%I', n.nspname, c.relname),
              EXISTS (SELECT 1 FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
                WHERE t.tgrelid = c.oid AND p.proname IN ('tidemark_notify', 'tidemark_notify_values')
                  AND t.tgenabled IN ('O', 'A')
                  AND t.tgqual IS NULL AND t.tgattr::text = '' AND t.tgtype & 66 = 0
                HAVING pg_catalog.bit_or(t.tgtype::int4) & 60 = 60),
              pg_catalog.concat_ws(' ', c.oid, c.xmin, (SELECT pg_catalog.string_agg(i.inhrelid::text, ' ' ORDER BY i.inhrelid)
                FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid)),
              ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
                JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation
                WHERE a.attrelid = c.oid AND NOT a.attisdropped AND NOT o.collisdeterministic)
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = $1::text AND c.relname = $2::text""";

    public static Uni<NotifyTrigger> inspect(Pool pool, String schema, String name) {
        return pool.preparedQuery(INSPECT).execute(Tuple.of(schema, name)).map(rows -> {
            Row row = rows.iterator().next();
            return new NotifyTrigger(
                    row.getBoolean(0),
                    row.getBoolean(3),
                    row.getString(1),
                    row.getString(2),
                    row.getString(4),
                    Set.of(row.getArrayOfStrings(5)));
        });
    }

    /** Returns the payload of the notifications about a table; both names are unquoted. */
    public static String payload(String schema, String name) {
        return schema + '.' + name;
    }

    public boolean isMissing() {
        return isPossible && !isPresent;
    }

    /** Returns the two statements that create the trigger and its function, each on one line. */
    public String statements() {
        return createFunctionSql() + '\n' + createTriggerSql();
    }

    /** Returns the statement that creates the trigger function, which all tables of a schema share. */
    String createFunctionSql() {
        return "CREATE OR REPLACE FUNCTION " + schema
                + ".tidemark_notify() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " PERFORM pg_catalog.pg_notify('" + CHANNEL + "', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME);"
                + " RETURN NULL; END $$;";
    }

    String createTriggerSql() {
        return "CREATE OR REPLACE TRIGGER tidemark_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON " + table
                + " FOR EACH STATEMENT EXECUTE FUNCTION " + schema + ".tidemark_notify();";
    }
}

package dev.tidemark.postgres.changes;

import dev.tidemark.feed.Feed.Relation;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * The trigger that makes a table tell of its changes: one notification for each statement, of which PostgreSQL delivers
 * one for each transaction.
 *
 * @param possible whether the relation can have it, and would then tell of every change. Of a view's or a foreign table's
 *     rows it would not
 * @param present whether the relation has it, switched on and for all kinds of change
 * @param schema quoted where SQL needs it
 * @param table with its schema, both quoted where SQL needs it
 */
record NotifyTrigger(boolean possible, boolean present, String schema, String table) {

    static final String CHANNEL = "tidemark";

    /** The function's name is what it is known by, in whatever schema it stands. 60: insert, delete, update, truncate. */
    private static final String INSPECTION = """
            SELECT c.relkind IN ('r', 'p'),
              pg_catalog.quote_ident(n.nspname), pg_catalog.format('%I.%I', n.nspname, c.relname),
              EXISTS (SELECT 1 FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
                WHERE t.tgrelid = c.oid AND p.proname = 'tidemark_notify' AND t.tgenabled IN ('O', 'A')
                  AND t.tgqual IS NULL AND t.tgattr::text = '' AND t.tgtype & 66 = 0
                HAVING pg_catalog.bit_or(t.tgtype::int4) & 60 = 60)
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = $1::text AND c.relname = $2::text""";

    static Uni<NotifyTrigger> inspect(Pool pool, Relation relation) {
        return pool.preparedQuery(INSPECTION)
                .execute(Tuple.of(relation.schema(), relation.name()))
                .map(rows -> {
                    Row row = rows.iterator().next();
                    return new NotifyTrigger(row.getBoolean(0), row.getBoolean(3), row.getString(1), row.getString(2));
                });
    }

    /** What a notification says that the relation has changed. */
    static String payload(Relation relation) {
        return relation.schema() + '.' + relation.name();
    }

    /** The two statements that add it. */
    String statements() {
        return """
                CREATE OR REPLACE FUNCTION %1$s.tidemark_notify() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                  PERFORM pg_catalog.pg_notify('tidemark', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME);
                  RETURN NULL;
                END $$;
                CREATE TRIGGER tidemark_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %2$s
                  FOR EACH STATEMENT EXECUTE FUNCTION %1$s.tidemark_notify();""".formatted(schema, table);
    }
}

package dev.tidemark.http;

import java.util.Map;

/** A database whose tables change while the server runs. The server reads them as a role that owns nothing. */
public class SchemaChangeResource extends TestFeedsResource {

    /** A system property, because the test runs in a class loader of its own. */
    private static final String URL = "schema-server.url";

    /** The feed that is changed. */
    public static final String GOODS = """
            create table goods (
                id int primary key, made timestamptz not null, price numeric(10, 2), token text,
                doc jsonb, note text default 'n', many int[]);
            insert into goods (id, made, price, token, doc, many)
                select i, '2026-01-01T00:00:00Z'::timestamptz + i / 3 * interval '1 second', i + 0.5,
                    '01234567-89ab-cdef-0123-' || lpad(i::text, 12, '0'), '{"a": [1, null]}', array[i, null]
                from generate_series(1, 40) as i;
            create index goods_made on goods (made, id);
            """;

    @Override
    public int order() {
        return super.order() + 1;
    }

    @Override
    public Map<String, String> start() {
        Map<String, String> config = super.start();
        System.setProperty(URL, config.get("quarkus.datasource.reactive.url"));
        run(GOODS);
        run("create role " + reader() + " login");
        run("grant select on all tables in schema public to " + reader());
        // Also for tables that are recreated, and for the inbox's table, which the inbox creates.
        run("alter default privileges grant select on tables to " + reader());
        config.put("quarkus.datasource.username", reader());
        config.put("quarkus.datasource.inbox.username", "postgres");
        config.put("tidemark.recheck-interval", "50ms");
        config.put("tidemark.feeds.goods.table", "goods");
        config.put("tidemark.feeds.goods.orders.newest", "made desc");
        config.put("tidemark.feeds.goods.filters.note", "equals");
        return config;
    }

    /** Roles are shared by all databases of the PostgreSQL server. */
    public static String reader() {
        return System.getProperty(URL).replaceAll(".*/test", "reader");
    }

    public static void run(String statements) {
        OwnDatabaseProfile.execute(System.getProperty(URL), statements);
    }
}

package dev.tidemark.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Feeds that are read as a role with the privileges that the security guide grants. In addition, the role may read
 * all columns of {@code goods}, which tests change.
 */
public class LeastPrivilegeProfile extends OwnDatabaseProfile {

    private static final Path SECURITY_GUIDE = Path.of("src", "site", "markdown", "security.md");

    private static final String CREATE_TABLES = """
            create table public.orders (
              id bigint generated always as identity primary key,
              placed_at timestamptz not null default now(),
              customer text not null,
              total numeric(10, 2) not null,
              cancelled_at timestamptz,
              secret text);
            insert into public.orders (placed_at, customer, total)
              select '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 minute', 'customer ' || i % 3, i
              from generate_series(1, 40) as i;
            create index on public.orders (placed_at, id);
            create view public.ranking as
              select rank() over (order by count(*) desc) as place, customer from public.orders group by customer;
            create function public.tidemark_notify() returns trigger language plpgsql as $$
              begin perform pg_catalog.pg_notify('tidemark', tg_table_schema || '.' || tg_table_name); return null; end $$;
            create trigger tidemark_notify after insert or update or delete or truncate on public.orders
              for each statement execute function public.tidemark_notify();
            revoke all on schema public from public;
            """;

    private static final String CREATE_SIZE = "create type size as enum ('S', 'M');";

    /** Creates the table that tests change while the server runs. */
    public static final String CREATE_GOODS = """
            create table goods (
                id int primary key, made timestamptz not null, price numeric(10, 2), token text,
                doc jsonb, note text default 'n', many int[],
                size size not null default 'M');
            insert into goods (id, made, price, token, doc, many)
                select i, '2026-01-01T00:00:00Z'::timestamptz + i / 3 * interval '1 second', i + 0.5,
                    '01234567-89ab-cdef-0123-' || lpad(i::text, 12, '0'), '{"a": [1, null]}', array[i, null]
                from generate_series(1, 40) as i;
            create index goods_made on goods (made, id);
            """;

    /** Creates the table whose rows are embedded in the goods. */
    private static final String CREATE_MAKERS = """
            create table makers (id int primary key, name text not null);
            insert into makers select i, '01234567-89ab-cdef-0123-' || lpad(i::text, 12, '0') from generate_series(1, 40) as i;
            """;

    /** Three of these rows fit on a page of 64 kB. */
    private static final String CREATE_BUNDLES = """
            create table bundles (id int primary key, label text not null, body text not null);
            insert into bundles select i, 'Bundle ' || 100 - i, repeat('x', 20000) from generate_series(1, 20) as i;
            create trigger tidemark_notify after insert or update or delete or truncate on bundles
                for each statement execute function public.tidemark_notify();
            """;

    @Override
    public Map<String, String> start() {
        Map<String, String> config =
                settingsOfNewDatabase(CREATE_TABLES + CREATE_SIZE + CREATE_GOODS + CREATE_MAKERS + CREATE_BUNDLES);
        String url = config.get("quarkus.datasource.reactive.url");
        String database = url.substring(url.lastIndexOf('/') + 1);
        String role = "reader_of_" + database;
        execute(url, "revoke all on database " + database + " from public");
        execute(url, statementsOfTheGuide().replace("shop", database).replaceAll("\\btidemark\\b", role));
        execute(url, "grant select on goods, makers, bundles to " + role);
        // The sample inbox, which runs in all tests, creates its schema and tables later, and a test drops goods and
        // creates it again.
        execute(url, "alter default privileges grant usage on schemas to " + role);
        execute(url, "alter default privileges grant select on tables to " + role);
        config.put("quarkus.datasource.username", role);
        config.put("quarkus.datasource.password", "secret");
        config.put("quarkus.datasource.inbox.username", "postgres");
        config.put("quarkus.datasource.inbox.password", "postgres");
        return config;
    }

    /** The statements of the security guide that create the role and grant its privileges. */
    private static String statementsOfTheGuide() {
        try {
            String guide = Files.readString(SECURITY_GUIDE);
            int begin = guide.indexOf("CREATE ROLE tidemark");
            return guide.substring(begin, guide.indexOf("```", begin));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, String> getConfigOverrides() {
        Map<String, String> config = new LinkedHashMap<>();
        for (String feed : List.of("orders", "orders-by-offset")) {
            declare(config, feed, """
                    table: public.orders
                    columns: id, placed_at, customer, total
                    orders.newest: placed_at desc
                    orders.largest: total desc, placed_at desc
                    default-order: newest
                    filters.customer: equals, text
                    filters.placed_at: range
                    visible: cancelled_at is null
                    count: exact
                    """);
        }
        declare(config, "orders", "delta: true");
        declare(config, "orders-by-offset", "universal.strategy: offset");
        declare(config, "ranking", """
                table: public.ranking
                orders.place: place
                count: exact
                universal.strategy: offset
                """);
        declare(config, "goods", """
                table: public.goods
                orders.newest: made desc
                orders.noted: note
                orders.sized: size
                default-order: newest
                filters.note: equals
                filters.size: equals
                embed.maker.table: public.makers
                embed.maker.on.id: id
                embed.maker.columns: name
                """);
        for (String feed : List.of("bundles", "bundles-by-offset")) {
            declare(config, feed, """
                    table: public.bundles
                    orders.oldest: id
                    orders.unindexed: label desc
                    default-order: oldest
                    filters.id: range
                    delta: true
                    """);
        }
        declare(config, "bundles-by-offset", "universal.strategy: offset");
        config.put("tidemark.max-page-bytes", "64K");
        config.put("tidemark.fresh.poll-interval", "1h");
        config.put("tidemark.recheck-interval", "50ms");
        return config;
    }
}

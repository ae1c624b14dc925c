package dev.tidemark.http.fresh;

import dev.tidemark.http.OwnDatabaseProfile;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * A database in which only the tables {@code notes} and {@code tasks} notify the server of changes, and a server that
 * polls at short intervals.
 */
public class FreshFeedsProfile extends OwnDatabaseProfile {

    static final int MAX_STREAMS = 2_000;

    /** The maximum number of streams of live windows. */
    public static final int MAX_LIVE_STREAMS = 30;

    /** The maximum number of different live windows. */
    public static final int MAX_WINDOWS = 20;

    public static final int MAX_EXPORTS = 3;

    /** The number of items of the largest feed. Each item takes about 1 kB. */
    public static final int FREIGHT_ITEMS = 20_000;

    private static final String CREATE_TABLES = """
            create table notes (id bigint primary key, room text not null default 'a', edited_at timestamptz);
            insert into notes select i, 'a', '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 minute'
                from generate_series(1, 200) as i;
            create function tidemark_notify() returns trigger language plpgsql as $$
                begin perform pg_notify('tidemark', tg_table_schema || '.' || tg_table_name); return null; end $$;
            create trigger tidemark_notify after insert or update or delete or truncate on notes
                for each statement execute function tidemark_notify();
            create table parcels (id bigint primary key);
            insert into parcels select * from generate_series(1, 10);
            create view some_notes as select * from notes where id % 2 = 0;
            create table tasks (id bigint primary key, title text not null, body text);
            insert into tasks select i, 'task ' || i, 'body' from generate_series(1, 50) as i;
            create trigger tidemark_notify after insert or update or delete or truncate on tasks
                for each statement execute function tidemark_notify();
            create table gone (id bigint primary key);
            insert into gone values (1);
            create table freight (id bigint primary key, edited_at timestamptz not null, load text not null);
            insert into freight select i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 second',
                repeat(md5(i::text), 32) from generate_series(1, FREIGHT_ITEMS) as i;
            create index on freight (edited_at, id);
            create table claims (id bigint primary key, title text not null, pattern text);
            insert into claims select i, 'claim ' || i from generate_series(1, 60) as i;
            create trigger tidemark_notify after insert or update or delete or truncate on claims
                for each statement execute function tidemark_notify();
            create function approved(title text, pattern text) returns boolean language plpgsql stable as $$
                declare one bigint;
                begin
                    if title like 'info %' then raise info '%', title; end if;
                    if title like 'notice %' then raise notice '%', title; end if;
                    if title like 'warning %' then raise warning '%', title; end if;
                    if title like 'raise %' then raise 'at %', title using errcode = substr(title, 7); end if;
                    if title like 'run %' then execute substr(title, 5) into strict one; end if;
                    return pattern is null or title ~ pattern;
                end $$;
            """.replace("FREIGHT_ITEMS", Integer.toString(FREIGHT_ITEMS));

    @Override
    public Map<String, String> start() {
        Map<String, String> config = settingsOfNewDatabase(CREATE_TABLES);
        config.put("tidemark.inbox.rows", "10000");
        return config;
    }

    /** Executes statements over a connection of their own. They are committed when the method returns. */
    public static void execute(String sql) {
        execute(url(), sql);
    }

    public static Connection connection() throws SQLException {
        return DriverManager.getConnection("jdbc:" + url(), "postgres", "postgres");
    }

    private static String url() {
        return ConfigProvider.getConfig().getValue("quarkus.datasource.reactive.url", String.class);
    }

    @Override
    public Map<String, String> getConfigOverrides() {
        Map<String, String> config = new LinkedHashMap<>();
        for (String table : List.of("notes", "parcels", "some_notes", "gone", "freight", "tasks", "claims")) {
            declare(config, table, """
                    table: public.%s
                    key: id
                    orders.newest: id desc
                    orders.oldest: id
                    default-order: newest
                    """.formatted(table));
        }
        declare(config, "notes", """
                filters.room: equals
                counts: room
                orders.edited: edited_at desc nulls last
                live-orders: edited
                """);
        declare(config, "freight", """
                orders.edited: edited_at
                live-orders: edited
                """);
        declare(config, "tasks", """
                orders.title: title
                filters.title: equals
                delta: true
                """);
        declare(config, "gone", "delta: true");
        declare(config, "claims", "visible: approved(title, pattern)");
        declare(config, "claims", "delta: true");
        declare(config, "claims", "count: exact");
        config.put("tidemark.live.heartbeat", "300ms");
        config.put("tidemark.live.max-streams", Integer.toString(MAX_LIVE_STREAMS));
        config.put("tidemark.live.max-windows", Integer.toString(MAX_WINDOWS));
        config.put("tidemark.export.max-streams", Integer.toString(MAX_EXPORTS));
        config.put("tidemark.fresh.heartbeat", "300ms");
        config.put("tidemark.fresh.poll-interval", "300ms");
        // Reads wait for the locks of tests.
        config.put("tidemark.longest-wait", "4s");
        config.put("tidemark.recheck-interval", "200ms");
        config.put("tidemark.fresh.max-streams", Integer.toString(MAX_STREAMS));
        return config;
    }
}

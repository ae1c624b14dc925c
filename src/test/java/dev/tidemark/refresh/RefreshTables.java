package dev.tidemark.refresh;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The tables of the refresh tests, and the feeds over them: an ordinary table, a partitioned one, and a materialized
 * view of the partitioned one. Each item embeds the shelf at its place, which does not exist for some places.
 */
final class RefreshTables {

    static final String COLUMNS = "region, id, at, place, version, body, extra";

    /** The columns that all tables have. PostgreSQL stores large bodies out of line (TOAST). */
    private static final String COLUMN_DEFINITIONS = """
        region text not null, id bigint not null, at timestamptz not null, place int not null,
        hidden boolean not null default false, version bigint not null, body text not null\
        """;

    private RefreshTables() {}

    static String createTablesSql() {
        return """
            create sequence ids;
            create sequence versions;
            create table shelves (place int primary key, label text not null);
            insert into shelves select i, 'shelf ' || i from generate_series(0, 40) i where i %% 7 <> 3;
            create table notes (%s, extra text not null default 'x', primary key (id));
            alter table notes alter body set storage external;
            create index notes_at on notes (at, id);
            create index notes_place on notes (place, id);
            """.formatted(COLUMN_DEFINITIONS) + createPartsSql("parts", "parts");
    }

    /** SQL that creates a partitioned table. The partition of the region {@code east} is itself partitioned. */
    static String createPartsSql(String table, String prefix) {
        return """
            create table %1$s (%3$s, extra text not null default 'x', primary key (region, id))
                partition by list (region);
            alter table %1$s alter body set storage external;
            create table %2$s_north partition of %1$s for values in ('north');
            create table %2$s_south partition of %1$s for values in ('south');
            create table %2$s_east partition of %1$s for values in ('east') partition by hash (id);
            create table %2$s_east_0 partition of %2$s_east for values with (modulus 2, remainder 0);
            create table %2$s_east_1 partition of %2$s_east for values with (modulus 2, remainder 1);
            create index %2$s_at on %1$s (at, region, id);
            create index %2$s_place on %1$s (place, region, id);
            """.formatted(table, prefix, COLUMN_DEFINITIONS);
    }

    /** SQL that creates the materialized view of the partitioned table. */
    static String createViewSql() {
        return """
            create materialized view copies as
                select region, id, at, place, hidden, version, body from parts;
            create unique index copies_key on copies (region, id);
            create index copies_at on copies (at, region, id);
            """;
    }

    static String fillSql(int rows) {
        return """
            insert into notes select 'none', nextval('ids'), timestamptz '2026-01-01' + i * interval '1 s',
                i %% 10, false, nextval('versions'), repeat(md5(i::text), i %% 90) from generate_series(1, %1$d) i;
            insert into parts select (array['north', 'south', 'east'])[1 + i %% 3], nextval('ids'),
                timestamptz '2026-01-01' + i * interval '1 s', i %% 10, false, nextval('versions'),
                repeat(md5(i::text), i %% 90) from generate_series(1, %1$d) i;
            """.formatted(rows);
    }

    /** The settings of a server with feeds over these tables. */
    static Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        for (String table : List.of("notes", "parts", "copies")) {
            String feed = "tidemark.feeds." + table + ".";
            settings.put(feed + "table", table);
            settings.put(feed + "key", table.equals("notes") ? "id" : "region, id");
            settings.put(feed + "columns", table.equals("copies") ? COLUMNS.replace(", extra", "") : COLUMNS);
            settings.put(feed + "visible", "NOT hidden");
            settings.put(feed + "orders.newest", "at desc");
            settings.put(feed + "orders.place", "place");
            settings.put(feed + "orders.edited", "at desc");
            settings.put(feed + "default-order", "newest");
            settings.put(feed + "live-orders", "edited");
            settings.put(feed + "filters.place", "equals, range");
            settings.put(feed + "embed.shelf.table", "shelves");
            settings.put(feed + "embed.shelf.on.place", "place");
            settings.put(feed + "embed.shelf.columns", "label");
            settings.put(feed + "count", "exact");
            settings.put(feed + "delta", "true");
        }
        return settings;
    }
}

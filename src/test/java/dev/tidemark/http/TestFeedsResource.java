package dev.tidemark.http;

import dev.tidemark.FeedsText;
import dev.tidemark.cursor.Sealers;
import dev.tidemark.local.TestPostgres;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A database with the tables of the feeds that most tests over HTTP read: one with columns of all types that Tidemark
 * distinguishes, one with ties in its order, and others.
 */
public class TestFeedsResource implements QuarkusTestResourceLifecycleManager {

    private static final String CREATE_TABLES = """
            create type mood as enum ('sad', 'ok', 'very happy');
            create table specimens (
                id int primary key, small smallint, big bigint, exact numeric, single real, twofold double precision,
                yes boolean, words text, code char(5), token uuid, day date, at_time time, local timestamp,
                moment timestamptz, feeling mood, doc json, docb jsonb, raw bytea, span interval,
                ints int[][], bigs bigint[], words_list text[], moments timestamptz[], days date[], raws bytea[],
                docs jsonb[], flags boolean[], floats float8[], moods mood[], boxes box[]);
            insert into specimens (id) values (1);
            insert into specimens values (2, -32768, 9223372036854775807, 1.10, 0.1, 0.30000000000000004,
                true, E'a "quoted" \\\\ line\\nand \\u4e16\\U0001F600', 'ab', '01234567-89AB-CDEF-0123-456789ABCDEF',
                '2026-01-16', '10:00:00.5', '2026-01-16 10:00:00.123', '2026-01-16 12:00:00.123456+02', 'very happy',
                '{"a": [1, null]}', '{"b": 1.50}', '\\x00ff', '1 day',
                '{{1,2},{3,NULL}}', '[0:1]={9007199254740993,2}', E'{"", NULL, "NULL", "a,b", "{}", "q\\\\"\\\\\\\\"}',
                '{2026-01-16 10:00:00+00,infinity}', '{0044-03-15 BC}', '{"\\\\x00ff"}', '{"{\\"a\\": \\"x,ä世😀\\"}"}',
                '{t,f}', '{0.1,NaN}', '{"very happy",sad}', '{(1,1),(0,0);(3,3),(2,2)}');
            insert into specimens (id, exact, single, twofold, day, local, moment, at_time, ints) values
                (3, 'NaN', 'NaN', 'Infinity', 'infinity', '-infinity', 'infinity', '24:00:00', '{}'),
                (4, 'Infinity', '-Infinity', '-0', '0044-03-15 BC', '12026-01-01 00:00:00', '0001-12-31 23:59:59.999999+00 BC',
                    '00:00:00', '{}');
            create table letters (
                id bigint primary key, sent_at timestamptz not null, subject text not null, status mood not null,
                urgent boolean, body text);
            insert into letters
                select i, '2026-01-01T00:00:00Z'::timestamptz + (i / 4) * interval '1 minute', 'Letter ' || i,
                    (array['sad', 'ok', 'very happy'])[1 + i % 3]::mood, nullif(i % 5, 0) = 1, repeat('x', 10)
                from generate_series(1, 100) as i;
            create index on letters (sent_at, id);
            create table notes (id bigint primary key, at timestamptz not null, kind text not null);
            insert into notes
                select i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 minute',
                    case when i % 6 = 0 then 'rare' else 'common' end
                from generate_series(1, 30) as i;
            create table tides (id bigint primary key, at timestamptz not null);
            create table ballots (id int primary key, "by" text, "$ref" text);
            insert into ballots values (1, 'ada'), (2, 'by'), (3, 'by');
            create table twins (a int, b text, primary key (a, b));
            insert into twins values (1, 'x'), (1, 'y'), (2, 'x');
            create table essays (id int primary key, title text not null);
            insert into essays values (1, 'short'), (2, repeat('long', 3000));
            create view snails as select id from generate_series(1, 3) as id, pg_sleep(60);
            create table crawling ();
            create function crawl() returns boolean language plpgsql as
                $$ begin
                if exists (select from public.crawling) then perform pg_sleep(0.4); end if;
                return true;
                end $$;
            create function out_of_disk() returns int language plpgsql as
                $$ begin raise 'the disk is full' using errcode = '53100'; end $$;
            create view outage as select out_of_disk() as id;
            create table bulletins (id int primary key, title text);
            create table vanished (id int primary key);
            create table chatter (id bigint primary key, sent_at timestamptz not null, edited_at timestamptz,
                gone boolean not null default false);
            create index on chatter (sent_at, id);
            create index on chatter (edited_at desc nulls last, id desc);
            create type wind as enum ('storm', 'calm');
            create domain wind_here as wind;
            create domain wind_now as wind_here;
            create table boats (id int primary key, wind wind_now not null);
            insert into boats values (1, 'storm'), (2, 'calm');
            create table scores (player text not null, points int, remark jsonb);
            insert into scores select 'p' || i % 37, i % 3, '{}' from generate_series(1, 110) as i;
            create view ranking as
                select rank() over (order by points desc) as place, player, points, remark from scores;
            create table shoals (id bigint primary key, edited_at timestamptz not null);
            create table cards (id bigint primary key, at timestamptz not null, edited_at timestamptz, title text not null,
                body text, gone boolean not null default false);
            create index on cards (at, id);
            create index on cards (edited_at desc nulls last, id desc);
            create function tidemark_notify() returns trigger language plpgsql as $$
                begin perform pg_notify('tidemark', tg_table_schema || '.' || tg_table_name); return null; end $$;
            create trigger tidemark_notify after insert or update or delete or truncate on cards
                for each statement execute function tidemark_notify();
            create table boards (id bigint primary key, shelf int not null, place int not null, title text, body text,
                hidden boolean not null default false);
            create index on boards (place, id);
            create trigger tidemark_notify after insert or update or delete or truncate on boards
                for each statement execute function tidemark_notify();
            create type measure as (width int);
            create table crates (id bigint primary key, size measure not null);
            insert into crates select i, row(i)::measure from generate_series(1, 3) i;
            create table papers (id int primary key, doc json, docs json[]);
            insert into papers values (1, E'{\\n  "a": "x\\\\ny",\\r\\n  "b": []\\n}', array[E'[1,\\n2]'::json]);
            create type pace as enum ('walk', 'run');
            create table legs (day date, number int, distance text, paces pace[] default '{walk}', primary key (day, number))
                partition by range (day);
            create table legs_2025 partition of legs for values from ('2025-01-01') to ('2026-01-01');
            create table legs_2026 partition of legs for values from ('2026-01-01') to ('2027-01-01');
            create trigger tidemark_notify after insert or update or delete or truncate on legs
                for each statement execute function tidemark_notify();
            create table people (id int primary key, name text not null, mood mood);
            create table posts (id bigint primary key, at timestamptz not null, title text not null,
                author_id bigint references people, reviewer_id bigint, specimen_id smallint);
            create index on posts (at, id);
            create trigger tidemark_notify after insert or update or delete or truncate on people
                for each statement execute function tidemark_notify();
            create trigger tidemark_notify after insert or update or delete or truncate on posts
                for each statement execute function tidemark_notify();
            create table signals (id bigint primary key, sent_ms bigint not null, edited_ms bigint, seen_s int, at_us bigint,
                tiny_s smallint, author_id bigint);
            create index on signals (sent_ms, id);
            create index on signals (edited_ms desc nulls last, id desc);
            create trigger tidemark_notify after insert or update or delete or truncate on signals
                for each statement execute function tidemark_notify();
            create table dossiers (id bigint primary key, created_at timestamptz not null, edited_at timestamptz,
                detail jsonb not null default '{}', author_id int);
            create index on dossiers ((coalesce(edited_at, created_at)) desc, id desc);
            create index on dossiers ((detail ->> 'kind'), (coalesce(edited_at, created_at)) desc, id desc);
            create trigger tidemark_notify after insert or update or delete or truncate on dossiers
                for each statement execute function tidemark_notify();
            create table tales (id bigint primary key, at timestamptz not null, shelf text not null, title text, body text,
                author_id int);
            create index on tales (at desc, id desc);
            create index on tales (shelf, at desc, id desc);
            create trigger tidemark_notify after insert or update or delete or truncate on tales
                for each statement execute function tidemark_notify();
            create domain pair as int[];
            create domain square as box;
            create table oddities (id int primary key, vector int2vector, oids oidvector, pairs pair[],
                squares square[]);
            insert into oddities (id, vector) values (1, '1 2 3');
            insert into oddities (id, oids) values (2, '4 5');
            insert into oddities (id, pairs) values (3, array['{1,2}'::pair, '{3}'::pair]);
            insert into oddities (id, squares) values (4, array['(1,1),(0,0)', '(3,3),(2,2)']::square[]);
            """;

    @Override
    public Map<String, String> start() {
        String url = TestPostgres.newQuarkusDatabase();
        try (Connection connection = DriverManager.getConnection("jdbc:" + url, "postgres", "postgres");
                Statement statement = connection.createStatement()) {
            statement.execute("alter database " + connection.getCatalog() + " set timezone = 'Asia/Tokyo'");
            statement.execute("alter database " + connection.getCatalog() + " set bytea_output = 'escape'");
            statement.execute(CREATE_TABLES);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return configuration(url);
    }

    private static Map<String, String> configuration(String url) {
        Map<String, String> config = new LinkedHashMap<>();
        config.put("quarkus.datasource.reactive.url", url);
        config.put("quarkus.datasource.username", "postgres");
        config.put("quarkus.datasource.password", "postgres");
        config.put("tidemark.feeds.specimens.table", "public.specimens");
        config.put("tidemark.feeds.specimens.orders.id", "id");
        config.put("tidemark.feeds.specimens.filters.id", "equals");
        config.put("tidemark.feeds.specimens.filters.exact", "equals");
        config.put(
                "tidemark.feeds.specimens.counts",
                "id, small, big, exact, single, twofold, yes, words, code, token, day, at_time, local, moment, feeling");
        config.put("tidemark.feeds.boats.table", "public.boats");
        config.put("tidemark.feeds.boats.orders.wind", "wind");
        config.put("tidemark.feeds.boats.filters.wind", "equals");
        config.put("tidemark.feeds.oddities.table", "public.oddities");
        config.put("tidemark.feeds.oddities.orders.id", "id");
        config.put("tidemark.feeds.oddities.filters.id", "equals");
        config.put("tidemark.feeds.letters.table", "public.letters");
        config.put("tidemark.feeds.letters.columns", "id, sent_at, subject, status, urgent");
        config.put("tidemark.feeds.letters.orders.newest", "sent_at desc");
        config.put("tidemark.feeds.letters.orders.oldest", "sent_at");
        config.put("tidemark.feeds.letters.default-order", "newest");
        config.put("tidemark.feeds.letters.filters.status", "equals");
        config.put("tidemark.feeds.letters.filters.id", "equals, range");
        config.put("tidemark.feeds.letters.filters.sent_at", "range");
        config.put("tidemark.feeds.letters.filters.subject", "text");
        config.put("tidemark.feeds.letters.filters.urgent", "equals");
        config.put("tidemark.feeds.letters.counts", "status, urgent, id");
        config.put("tidemark.feeds.notes.table", "public.notes");
        config.put("tidemark.feeds.notes.orders.newest", "at desc");
        config.put("tidemark.feeds.notes.filters.kind", "equals");
        config.put("tidemark.feeds.notes.count", "exact");
        config.put("tidemark.feeds.notes.count-cap", "20");
        config.put("tidemark.feeds.tides.table", "public.tides");
        config.put("tidemark.feeds.tides.orders.newest", "at desc");
        config.put("tidemark.feeds.tides.orders.oldest", "at");
        config.put("tidemark.feeds.tides.default-order", "newest");
        config.put("tidemark.feeds.ballots.table", "public.ballots");
        config.put("tidemark.feeds.ballots.orders.id", "id");
        config.put("tidemark.feeds.ballots.counts", "by");
        config.put("tidemark.feeds.twins.table", "public.twins");
        config.put("tidemark.feeds.twins.orders.a", "a");
        config.put("tidemark.feeds.snails.table", "public.snails");
        config.put("tidemark.feeds.snails.key", "id");
        config.put("tidemark.feeds.snails.orders.id", "id");
        config.put("tidemark.feeds.outage.table", "public.outage");
        config.put("tidemark.feeds.outage.key", "id");
        config.put("tidemark.feeds.outage.orders.id", "id");
        config.put("tidemark.feeds.vanished.table", "public.vanished");
        config.put("tidemark.feeds.vanished.orders.id", "id");
        config.put("tidemark.statement-timeout", "1s");
        config.put("tidemark.cursor.keys", Sealers.KEY);
        config.put("tidemark.cursor.lifetime", "30d");
        config.put("tidemark.feeds.essays.table", "public.essays");
        config.put("tidemark.feeds.essays.orders.title", "title");
        config.put("tidemark.feeds.essays.visible", "crawl()");
        config.put("tidemark.feeds.chatter.table", "public.chatter");
        config.put("tidemark.feeds.chatter.visible", "NOT gone");
        config.put("tidemark.feeds.chatter.orders.newest", "sent_at desc");
        config.put("tidemark.feeds.chatter.orders.edited", "edited_at desc nulls last");
        config.put("tidemark.feeds.chatter.orders.oldest-edited", "edited_at nulls first");
        config.put("tidemark.feeds.chatter.default-order", "newest");
        config.put("tidemark.feeds.chatter.live-orders", "edited, oldest-edited");
        config.put("tidemark.feeds.bulletins.table", "public.bulletins");
        config.put("tidemark.feeds.bulletins.orders.id", "id");
        config.put("tidemark.feeds.bulletins.cache-control", "public, max-age=60");
        config.put("tidemark.feeds.bulletins.limit.web-default", "30");
        config.put("tidemark.feeds.bulletins.filters.id", "range");
        config.put("tidemark.feeds.bulletins.count", "exact");
        config.put("tidemark.feeds.bulletins.count-cap", "15");
        config.put("tidemark.feeds.shoals.table", "public.shoals");
        config.put("tidemark.feeds.shoals.orders.newest", "id desc");
        config.put("tidemark.feeds.shoals.orders.edited", "edited_at");
        config.put("tidemark.feeds.shoals.default-order", "newest");
        config.put("tidemark.feeds.shoals.live-orders", "edited");
        config.put("tidemark.feeds.shoals.filters.id", "range");
        config.put("tidemark.feeds.shoals.count", "exact");
        config.put("tidemark.feeds.shoals.count-cap", "150");
        config.put("tidemark.feeds.cards.table", "public.cards");
        config.put("tidemark.feeds.cards.visible", "NOT gone AND crawl()");
        config.put("tidemark.feeds.cards.columns", "id, at, edited_at, title, body");
        config.put("tidemark.feeds.cards.orders.newest", "at desc");
        config.put("tidemark.feeds.cards.orders.edited", "edited_at desc nulls last");
        config.put("tidemark.feeds.cards.orders.title", "title");
        config.put("tidemark.feeds.cards.orders.oldest-edited", "edited_at nulls first");
        config.put("tidemark.feeds.cards.default-order", "newest");
        config.put("tidemark.feeds.cards.live-orders", "edited, oldest-edited");
        config.put("tidemark.feeds.cards.filters.title", "equals");
        config.put("tidemark.feeds.cards.limit.max", "5");
        config.put("tidemark.feeds.cards.limit.default", "3");
        config.put("tidemark.feeds.cards.limit.web-default", "3");
        config.put("tidemark.feeds.cards.count", "exact");
        config.put("tidemark.feeds.cards.delta", "true");
        config.put("tidemark.feeds.cards.delta-max", "12");
        config.put("tidemark.feeds.crates.table", "public.crates");
        config.put("tidemark.feeds.crates.orders.newest", "id desc");
        config.put("tidemark.feeds.crates.delta", "true");
        config.put("tidemark.feeds.legs.table", "public.legs");
        config.put("tidemark.feeds.legs.orders.day", "day");
        config.put("tidemark.feeds.legs.delta", "true");
        config.put("tidemark.feeds.legs.delta-max", "3000");
        config.put("tidemark.feeds.boards.table", "public.boards");
        config.put("tidemark.feeds.boards.visible", "NOT hidden");
        config.put("tidemark.feeds.boards.columns", "id, shelf, place, title, body");
        config.put("tidemark.feeds.boards.orders.place", "place");
        config.put("tidemark.feeds.boards.orders.title", "title desc");
        config.put("tidemark.feeds.boards.default-order", "place");
        config.put("tidemark.feeds.boards.filters.shelf", "equals");
        config.put("tidemark.feeds.boards.delta", "true");
        config.put("tidemark.feeds.boards.delta-max", "100");
        config.put("tidemark.feeds.posts.table", "public.posts");
        config.put("tidemark.feeds.posts.columns", "id, at, title");
        config.put("tidemark.feeds.posts.orders.newest", "at desc");
        config.put("tidemark.feeds.posts.orders.title", "title");
        config.put("tidemark.feeds.posts.default-order", "newest");
        config.put("tidemark.feeds.posts.filters.title", "equals");
        config.put("tidemark.feeds.posts.counts", "title");
        config.put("tidemark.feeds.posts.delta", "true");
        config.put("tidemark.feeds.posts.embed.author.table", "people");
        config.put("tidemark.feeds.posts.embed.author.on.id", "author_id");
        config.put("tidemark.feeds.posts.embed.author.columns", "name, mood");
        config.put("tidemark.feeds.posts.embed.reviewer.table", "public.people");
        config.put("tidemark.feeds.posts.embed.reviewer.on.id", "reviewer_id");
        config.put("tidemark.feeds.posts.embed.reviewer.columns", "name");
        config.put("tidemark.feeds.exhibits.table", "public.posts");
        config.put("tidemark.feeds.exhibits.orders.newest", "at desc");
        config.put("tidemark.feeds.exhibits.embed.specimen.table", "specimens");
        config.put("tidemark.feeds.exhibits.embed.specimen.on.id", "specimen_id");
        config.put(
                "tidemark.feeds.exhibits.embed.specimen.columns",
                "id, small, big, exact, single, twofold, yes, words, code, token, day, at_time, local, moment,"
                        + " feeling, doc, docb, raw, span, ints, bigs, words_list, moments, days, raws, docs, flags,"
                        + " floats, moods, boxes");
        config.put("tidemark.feeds.dossiers.table", "public.dossiers");
        config.put("tidemark.feeds.dossiers.columns", "id, activity, kind, size");
        config.put("tidemark.feeds.dossiers.derived.activity", "coalesce(edited_at, created_at)");
        config.put("tidemark.feeds.dossiers.derived.kind", "detail ->> 'kind'");
        config.put("tidemark.feeds.dossiers.derived.size", "(detail ->> 'size')::bigint");
        config.put("tidemark.feeds.dossiers.orders.active", "activity desc");
        config.put("tidemark.feeds.dossiers.orders.size", "size nulls first");
        config.put("tidemark.feeds.dossiers.default-order", "active");
        config.put("tidemark.feeds.dossiers.filters.kind", "equals, text");
        config.put("tidemark.feeds.dossiers.filters.activity", "range");
        config.put("tidemark.feeds.dossiers.filters.size", "range");
        config.put("tidemark.feeds.dossiers.count", "exact");
        config.put("tidemark.feeds.dossiers.delta", "true");
        config.put("tidemark.feeds.dossiers.embed.author.table", "people");
        config.put("tidemark.feeds.dossiers.embed.author.on.id", "author_id");
        config.put("tidemark.feeds.dossiers.embed.author.columns", "name");
        config.put("tidemark.feeds.tales.table", "public.tales");
        config.put("tidemark.feeds.tales.columns", "id, at, title");
        config.put("tidemark.feeds.tales.derived.heading", "upper(title)");
        config.put("tidemark.feeds.tales.orders.newest", "at desc");
        config.put("tidemark.feeds.tales.orders.oldest", "at");
        config.put("tidemark.feeds.tales.default-order", "newest");
        config.put("tidemark.feeds.tales.filters.shelf", "equals");
        config.put("tidemark.feeds.tales.filters.body", "text");
        config.put("tidemark.feeds.tales.search.columns", "title, body, heading");
        config.put("tidemark.feeds.tales.search.scan", "1000");
        config.put("tidemark.feeds.tales.counts", "shelf");
        config.put("tidemark.feeds.tales.count", "exact");
        config.put("tidemark.feeds.tales.delta", "true");
        config.put("tidemark.feeds.tales.universal.strategy", "offset");
        config.put("tidemark.feeds.tales.embed.author.table", "people");
        config.put("tidemark.feeds.tales.embed.author.on.id", "author_id");
        config.put("tidemark.feeds.tales.embed.author.columns", "name");
        config.put("tidemark.feeds.signals.table", "public.signals");
        config.put("tidemark.feeds.signals.columns", "id, sent_ms, edited_ms, seen_s, at_us, tiny_s");
        config.put("tidemark.feeds.signals.epoch.sent_ms", "ms");
        config.put("tidemark.feeds.signals.epoch.edited_ms", "ms");
        config.put("tidemark.feeds.signals.epoch.seen_s", "s");
        config.put("tidemark.feeds.signals.epoch.at_us", "us");
        config.put("tidemark.feeds.signals.epoch.tiny_s", "s");
        config.put("tidemark.feeds.signals.orders.newest", "sent_ms desc");
        config.put("tidemark.feeds.signals.orders.oldest", "sent_ms");
        config.put("tidemark.feeds.signals.orders.edited", "edited_ms desc nulls last");
        config.put("tidemark.feeds.signals.orders.oldest-edited", "edited_ms nulls first");
        config.put("tidemark.feeds.signals.orders.seen", "seen_s, at_us desc");
        config.put("tidemark.feeds.signals.default-order", "newest");
        config.put("tidemark.feeds.signals.live-orders", "edited, oldest-edited");
        config.put("tidemark.feeds.signals.filters.sent_ms", "equals, range");
        config.put("tidemark.feeds.signals.filters.edited_ms", "equals, range");
        config.put("tidemark.feeds.signals.filters.seen_s", "equals, range");
        config.put("tidemark.feeds.signals.filters.at_us", "equals, range");
        config.put("tidemark.feeds.signals.filters.tiny_s", "equals, range");
        config.put("tidemark.feeds.signals.count", "exact");
        config.put("tidemark.feeds.signals.delta", "true");
        config.put("tidemark.feeds.signals.embed.author.table", "people");
        config.put("tidemark.feeds.signals.embed.author.on.id", "author_id");
        config.put("tidemark.feeds.signals.embed.author.columns", "name");
        config.put("tidemark.feeds.papers.table", "public.papers");
        config.put("tidemark.feeds.papers.orders.id", "id");
        config.put("tidemark.feeds.papers.delta", "true");
        addUniversalFeeds(config);
        return FeedsText.collect(config);
    }

    /**
     * Adds each feed a second time, with the strategy {@code offset}, and two more feeds for tests of the universal
     * protocol.
     */
    private static void addUniversalFeeds(Map<String, String> config) {
        Map<String, String> twins = new LinkedHashMap<>();
        config.forEach((name, value) -> {
            if (name.startsWith("tidemark.feeds.")) {
                String[] path = name.split("\\.", 4);
                String twin = "tidemark.feeds." + path[2] + "-by-offset.";
                twins.put(twin + path[3], value);
                twins.put(twin + "universal.strategy", "offset");
            }
        });
        config.putAll(twins);
        config.put("tidemark.feeds.ranking.table", "public.ranking");
        config.put("tidemark.feeds.ranking.orders.place", "place");
        config.put("tidemark.feeds.ranking.filters.points", "equals");
        config.put("tidemark.feeds.ranking.universal.strategy", "offset");
        config.put("tidemark.feeds.ranking.count", "exact");
        config.put("tidemark.feeds.onward.table", "public.letters");
        config.put("tidemark.feeds.onward.orders.newest", "sent_at desc");
        config.put("tidemark.feeds.onward.universal.backward", "false");
        config.put("tidemark.feeds.onward.universal.max-offset", "40");
    }

    /** The PostgreSQL server and its databases are removed when the JVM ends. */
    @Override
    public void stop() {}
}

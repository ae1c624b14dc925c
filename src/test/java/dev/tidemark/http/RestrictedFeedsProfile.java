package dev.tidemark.http;

import dev.tidemark.http.fresh.FreshFeedsProfile;
import java.security.KeyPair;
import java.util.List;
import java.util.Map;

/**
 * Feeds with restricted access, in addition to those of {@link FreshFeedsProfile}, and the keys with which tests sign
 * tokens and the server verifies them. Tests that need only the feeds of {@link FreshFeedsProfile} use this profile
 * too, because each profile costs another build and start of the application; so do those of the guides, which need
 * the sample inbox as it is generated, and its cursor key. Of these tests, only those of the JavaScript guide write to
 * the inbox, and they are the last in the order of names.
 */
public class RestrictedFeedsProfile extends FreshFeedsProfile {

    private static final String CREATE_TABLES = """
            create table tickets (id bigint primary key, tenant_id bigint not null, team text, sent_at timestamptz not null,
                urgent boolean, code char(5), number numeric);
            insert into tickets select i, 1 + i % 2, 'team ' || i % 2, '2026-01-01T00:00:00Z'::timestamptz
                + i * interval '1 minute', i % 3 = 0 from generate_series(1, 40) as i;
            create index on tickets (tenant_id, sent_at, id);
            create view standings as select tenant_id, team from tickets;
            create trigger tidemark_notify after insert or update or delete or truncate on tickets
                for each statement execute function tidemark_notify();
            create table posts (id bigint primary key, channel_id bigint, kind text not null, sent_at timestamptz not null);
            insert into posts select i, nullif(i % 5, 0), 'kind ' || i % 3, '2026-01-01T00:00:00Z'::timestamptz
                + i / 2 * interval '1 minute' from generate_series(1, 60) as i;
            create index on posts (channel_id, sent_at, id);
            create table members (channel_id int, user_name text not null, "Tenant" bigint not null,
                state text not null default 'accepted');
            create trigger tidemark_notify after insert or update or delete or truncate on posts
                for each statement execute function tidemark_notify();
            create trigger tidemark_notify after insert or update or delete or truncate on members
                for each statement execute function tidemark_notify();
            """;

    @Override
    public Map<String, String> start() {
        Map<String, String> config = super.start();
        execute(config.get("quarkus.datasource.reactive.url"), CREATE_TABLES);
        KeyPair keys = TestTokens.newKeys();
        config.put("mp.jwt.verify.publickey", TestTokens.base64(keys.getPublic().getEncoded()));
        config.put(
                TestTokens.PRIVATE_KEY_PROPERTY,
                TestTokens.base64(keys.getPrivate().getEncoded()));
        return config;
    }

    @Override
    public Map<String, String> getConfigOverrides() {
        Map<String, String> config = super.getConfigOverrides();
        for (String feed : List.of(
                "tickets",
                "tickets-by-offset",
                "memos",
                "teams",
                "flags",
                "coded",
                "numbered",
                "nested",
                "prefixed",
                "unheard",
                "open",
                "timed",
                "timed-joined")) {
            declare(config, feed, """
                    table: public.tickets
                    columns: id, sent_at
                    orders.newest: sent_at desc
                    filters.tenant_id: equals
                    filters.urgent: equals
                    count: exact
                    """);
        }
        declare(config, "tickets", """
                scope.tenant_id: claim:tenant
                counts: urgent, tenant_id
                delta: true
                """);
        declare(config, "tickets-by-offset", """
                scope.tenant_id: claim:tenant
                universal.strategy: offset
                """);
        declare(config, "memos", "roles: agent, manager");
        declare(config, "guarded", """
                table: public.freight
                orders.oldest: id
                roles: agent
                """);
        declare(config, "teams", """
                scope.team: claim:https://example.org/team
                roles: agent
                delta: true
                """);
        declare(config, "flags", "scope.urgent: claim:urgent");
        declare(config, "unheard", """
                scope.tenant_id: claim:unheard.tenant
                roles: agent
                """);
        declare(config, "nested", """
                scope.tenant_id: claim:app_metadata.tenant
                roles: agent
                """);
        declare(config, "prefixed", "scope.tenant_id: claim:custom:tenant");
        declare(config, "coded", "scope.code: claim:code");
        declare(config, "numbered", "scope.number: claim:number");
        for (String feed : List.of("timed", "timed-joined")) {
            declare(config, feed, """
                    key: tenant_id, id
                    columns: id, tenant_id
                    epoch.tenant_id: ms
                    """);
        }
        declare(config, "timed", "scope.tenant_id: claim:tenant");
        declare(config, "timed-joined", """
                scope.tenant_id.in: public.members.channel_id
                scope.tenant_id.where.user_name: claim:user
                """);
        declare(config, "standings", """
                table: public.standings
                orders.team: team
                scope.tenant_id: claim:tenant
                universal.strategy: offset
                """);
        for (String feed : List.of(
                "posts",
                "posts-by-offset",
                "posts-by-channel",
                "posts-accepted",
                "posts-accepted-by-offset",
                "posts-accepted-by-channel")) {
            declare(config, feed, """
                    table: public.posts
                    columns: id, sent_at
                    filters.channel_id: equals
                    filters.kind: equals
                    count: exact
                    scope.channel_id.in: public.members.channel_id
                    scope.channel_id.where.user_name: claim:user
                    scope.channel_id.where.Tenant: claim:tenant
                    """);
        }
        for (String feed : List.of("posts", "posts-accepted")) {
            declare(config, feed, """
                    counts: kind
                    orders.newest: sent_at desc
                    delta: true
                    """);
            declare(config, feed + "-by-offset", """
                    orders.newest: sent_at desc
                    universal.strategy: offset
                    """);
            declare(config, feed + "-by-channel", "orders.channel: channel_id");
        }
        for (String feed : List.of("posts-accepted", "posts-accepted-by-offset", "posts-accepted-by-channel")) {
            declare(config, feed, "scope.channel_id.if: state = 'accepted' or false -- or true");
        }
        config.put("tidemark.openapi.restricted-feeds", "true");
        config.put("tidemark.fresh.heartbeat", "200ms");
        config.put("mp.jwt.verify.issuer", TestTokens.ISSUER);
        config.put("mp.jwt.verify.audiences", TestTokens.AUDIENCE);
        config.put("mp.jwt.verify.clock.skew", "0");
        config.put("quarkus.http.access-log.enabled", "true");
        config.put("quarkus.http.access-log.pattern", "%u %m %U %s %b %{d,problem} %{d,request_id}");
        // Tests read the lines, but thousands of them would fill the output.
        config.put("quarkus.log.category.\"io.quarkus.http.access-log\".use-parent-handlers", "false");
        return config;
    }
}

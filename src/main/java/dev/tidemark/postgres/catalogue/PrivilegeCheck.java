package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.ExcessPrivileges;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.SqlQuoting;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Warns if the database role can write to the feeds' relations, owns them, or bypasses their row-level security.
 * Sessions are read-only, but only by a setting, which a function can change for later statements of the session. A
 * function cannot use a privilege that the role does not have.
 */
@Singleton
public final class PrivilegeCheck {

    private static final Logger LOG = Logger.getLogger(PrivilegeCheck.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Reports SUPERUSER alone, or else ownership alone, because each includes all privileges that follow it here. */
    private static final String EXCESS = """
            SELECT f.feed, current_user::text AS role, pg_catalog.format('%%I.%%I', n.nspname, c.relname) AS relation,
              CASE WHEN r.rolsuper THEN 'SUPERUSER'
                WHEN pg_catalog.pg_has_role(c.relowner, 'MEMBER') THEN 'ownership'
                ELSE pg_catalog.concat_ws(', ',
                  CASE WHEN pg_catalog.has_any_column_privilege(c.oid, 'INSERT') THEN 'INSERT' END,
                  CASE WHEN pg_catalog.has_any_column_privilege(c.oid, 'UPDATE') THEN 'UPDATE' END,
                  CASE WHEN pg_catalog.has_table_privilege(c.oid, 'DELETE') THEN 'DELETE' END,
                  CASE WHEN pg_catalog.has_table_privilege(c.oid, 'TRUNCATE') THEN 'TRUNCATE' END,
                  CASE WHEN c.relrowsecurity AND r.rolbypassrls THEN 'BYPASSRLS' END) END AS excess
            FROM unnest(%s, %s, %s) WITH ORDINALITY f(feed, schema, name, place)
              JOIN pg_catalog.pg_namespace n ON n.nspname = f.schema
              JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = f.name
              JOIN pg_catalog.pg_roles r ON r.rolname = current_user
            ORDER BY f.place""";

    private final Pool pool;

    PrivilegeCheck(Pool pool) {
        this.pool = pool;
    }

    /** Checks feeds that have been resolved. Blocks. A failure is ignored. */
    public void check(List<Feed> feeds) {
        if (feeds.isEmpty()) {
            return;
        }
        try {
            warn(findExcess(feeds).await().atMost(TIMEOUT));
        } catch (RuntimeException failure) {
            LOG.debug("Cannot determine the privileges of the database role", failure);
        }
    }

    private static void warn(List<ExcessPrivileges> excess) {
        if (!excess.isEmpty()) {
            LOG.warn(
                    "The database role has more privileges than it needs. Use a role that owns nothing and has only SELECT:"
                            + "\n    "
                            + excess.stream()
                                    .map(found -> "feed " + found.feed() + ": " + found.description())
                                    .collect(Collectors.joining("\n    ")));
        }
    }

    private record ReadTable(String feed, String schema, String name) {}

    /** The relation of a feed, and the tables of its embeds and memberships. */
    private static Stream<ReadTable> readTables(Feed feed) {
        Set<ReadTable> tables = new LinkedHashSet<>();
        tables.add(new ReadTable(
                feed.name(), feed.relation().schema(), feed.relation().name()));
        feed.embeds().forEach(embed -> tables.add(new ReadTable(feed.name(), embed.schema(), embed.table())));
        feed.access()
                .memberships()
                .forEach(member -> tables.add(new ReadTable(feed.name(), member.schema(), member.table())));
        return tables.stream();
    }

    Uni<List<ExcessPrivileges>> findExcess(List<Feed> feeds) {
        List<ReadTable> tables =
                feeds.stream().flatMap(PrivilegeCheck::readTables).toList();
        return pool.query(EXCESS.formatted(
                        arrayLiteral(tables, ReadTable::feed),
                        arrayLiteral(tables, ReadTable::schema),
                        arrayLiteral(tables, ReadTable::name)))
                .execute()
                .map(rows -> rows.stream()
                        .filter(row -> !row.getString("excess").isEmpty())
                        .map(row -> new ExcessPrivileges(
                                row.getString("feed"),
                                row.getString("role"),
                                row.getString("excess"),
                                row.getString("relation")))
                        .toList());
    }

    /** Returns an array of literals, because a statement with parameters would take two round trips. */
    static <T> String arrayLiteral(List<T> elements, Function<T, String> property) {
        return elements.stream()
                .map(property)
                .map(SqlQuoting::quoteLiteral)
                .collect(Collectors.joining(", ", "ARRAY[", "]::text[]"));
    }
}

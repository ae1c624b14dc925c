package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue.ExcessPrivileges;
import dev.tidemark.declare.Catalogue.TableColumnNames;
import dev.tidemark.feed.Feed;
import dev.tidemark.naming.SqlQuoting;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

    /** A privilege on the whole table covers its columns. The system columns can be granted singly, too. */
    private static final String MISSING = """
            SELECT pg_catalog.format('GRANT SELECT (%%s) ON %%I.%%I TO %%I;',
              string_agg(pg_catalog.quote_ident(wanted.column), ', ' ORDER BY wanted.place), n.nspname, c.relname, current_user)
            FROM unnest(%s) WITH ORDINALITY wanted("column", place)
              JOIN pg_catalog.pg_namespace n ON n.nspname = %s
              JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = %s
            WHERE NOT pg_catalog.has_column_privilege(c.oid, wanted.column, 'SELECT')
            GROUP BY n.nspname, c.relname""";

    /** The columns of other relations that views with {@code security_invoker} read with the privileges of the role. */
    private static final String MISSING_UNDER_VIEW = """
            WITH RECURSIVE invoked(oid) AS (
              SELECT c.oid FROM pg_catalog.pg_namespace n JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid
              WHERE n.nspname = %s AND c.relname = %s AND c.relkind = 'v' AND c.reloptions::text ~ 'security_invoker=(true|on|yes|1)'
              UNION
              SELECT c.oid FROM invoked i JOIN pg_catalog.pg_rewrite w ON w.ev_class = i.oid
                JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = w.oid
                  AND d.refclassid = 'pg_catalog.pg_class'::regclass
                JOIN pg_catalog.pg_class c ON c.oid = d.refobjid
              WHERE c.relkind = 'v' AND c.reloptions::text ~ 'security_invoker=(true|on|yes|1)')
            SELECT pg_catalog.format('GRANT SELECT (%%s) ON %%I.%%I TO %%I;',
              string_agg(DISTINCT pg_catalog.quote_ident(a.attname), ', '), n.nspname, c.relname, current_user)
            FROM invoked i JOIN pg_catalog.pg_rewrite w ON w.ev_class = i.oid
              JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = w.oid
                AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid <> i.oid
              JOIN pg_catalog.pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid AND a.attnum > 0
              JOIN pg_catalog.pg_class c ON c.oid = d.refobjid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE NOT pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')
            GROUP BY n.nspname, c.relname ORDER BY n.nspname, c.relname""";

    private static final String MISSING_USAGE = """
            SELECT pg_catalog.format('GRANT USAGE ON SCHEMA %%I TO %%I;', n.nspname, current_user)
            FROM pg_catalog.pg_namespace n
            WHERE n.nspname = (pg_catalog.parse_ident(%1$s))[pg_catalog.cardinality(pg_catalog.parse_ident(%1$s)) - 1]
              AND NOT pg_catalog.has_schema_privilege(n.oid, 'USAGE')""";

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
        return Stream.of(
                        Stream.of(new ReadTable(
                                feed.name(),
                                feed.relation().schema(),
                                feed.relation().name())),
                        feed.embeds().stream().map(embed -> new ReadTable(feed.name(), embed.schema(), embed.table())),
                        feed.access()
                                .memberships()
                                .map(member -> new ReadTable(feed.name(), member.schema(), member.table())))
                .flatMap(Function.identity())
                .distinct();
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

    /** See {@link dev.tidemark.declare.Catalogue#findMissingGrants}. */
    static Uni<List<Optional<String>>> missingGrants(Pool pool, List<TableColumnNames> columns) {
        return Multi.createFrom()
                .iterable(columns)
                .onItem()
                .transformToUniAndConcatenate(wanted -> missingGrant(pool, wanted))
                .collect()
                .asList();
    }

    private static Uni<Optional<String>> missingGrant(Pool pool, TableColumnNames columns) {
        String schema = SqlQuoting.quoteLiteral(columns.table().schema());
        String name = SqlQuoting.quoteLiteral(columns.table().name());
        return Uni.combine()
                .all()
                .unis(
                        pool.query(MISSING.formatted(arrayLiteral(columns.names(), Function.identity()), schema, name))
                                .execute(),
                        pool.query(MISSING_UNDER_VIEW.formatted(schema, name)).execute())
                .with((own, under) -> Stream.concat(own.stream(), under.stream())
                        .map(row -> row.getString(0))
                        .reduce((grant, next) -> grant + " " + next));
    }

    /** See {@link dev.tidemark.declare.Catalogue#findMissingUsage}. */
    static Uni<List<Optional<String>>> missingUsage(Pool pool, List<String> names) {
        return Multi.createFrom()
                .iterable(names)
                .onItem()
                .transformToUniAndConcatenate(name -> pool.query(MISSING_USAGE.formatted(SqlQuoting.quoteLiteral(name)))
                        .execute()
                        .map(rows -> rows.stream().findFirst().map(row -> row.getString(0)))
                        // The name is malformed.
                        .onFailure(Rejections::isRejectedByDatabase)
                        .recoverWithItem(Optional.empty()))
                .collect()
                .asList();
    }

    /** Returns an array of literals, because a statement with parameters would take two round trips. */
    static <T> String arrayLiteral(List<T> elements, Function<T, String> property) {
        return elements.stream()
                .map(property)
                .map(SqlQuoting::quoteLiteral)
                .collect(Collectors.joining(", ", "ARRAY[", "]::text[]"));
    }
}

package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.jboss.logging.Logger;

/**
 * Warns of a role that may do more to the feeds' relations than read them. Sessions write nothing, but that is a setting,
 * which a function can undo for those that come after; a privilege that is not there nothing can use.
 */
@Singleton
final class PrivilegeCheck {

    private static final Logger LOG = Logger.getLogger(PrivilegeCheck.class);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Of a superuser and of an owner nothing further needs to be said. */
    private static final String EXCESS = """
            SELECT f.feed, current_user::text AS role, pg_catalog.format('%I.%I', n.nspname, c.relname) AS relation,
              CASE WHEN r.rolsuper THEN 'SUPERUSER'
                WHEN pg_catalog.pg_has_role(c.relowner, 'MEMBER') THEN 'ownership'
                ELSE pg_catalog.concat_ws(', ',
                  CASE WHEN pg_catalog.has_any_column_privilege(c.oid, 'INSERT') THEN 'INSERT' END,
                  CASE WHEN pg_catalog.has_any_column_privilege(c.oid, 'UPDATE') THEN 'UPDATE' END,
                  CASE WHEN pg_catalog.has_table_privilege(c.oid, 'DELETE') THEN 'DELETE' END,
                  CASE WHEN pg_catalog.has_table_privilege(c.oid, 'TRUNCATE') THEN 'TRUNCATE' END,
                  CASE WHEN c.relrowsecurity AND r.rolbypassrls THEN 'BYPASSRLS' END) END AS excess
            FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY f(feed, schema, name, place)
              JOIN pg_catalog.pg_namespace n ON n.nspname = f.schema
              JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = f.name
              JOIN pg_catalog.pg_roles r ON r.rolname = current_user
            ORDER BY f.place""";

    private final Pool pool;

    PrivilegeCheck(Pool pool) {
        this.pool = pool;
    }

    /** Runs when the feeds have been resolved; the start does not wait for the answer. */
    void onStart(@Observes @Priority(2001) StartupEvent start, Feeds feeds) {
        excess(feeds.all())
                .ifNoItem()
                .after(PATIENCE)
                .fail()
                .subscribe()
                .with(
                        PrivilegeCheck::warn,
                        failure -> LOG.debug("What the database role may do is not known", failure));
    }

    private static void warn(List<String> excess) {
        if (!excess.isEmpty()) {
            LOG.warn(
                    "To read is all that is needed, and the database role may do more; GRANT SELECT to one that owns nothing:"
                            + "\n    " + String.join("\n    ", excess));
        }
    }

    /** @return a line for each feed over whose relation the role has more power than to read it */
    Uni<List<String>> excess(List<Feed> feeds) {
        return pool.preparedQuery(EXCESS)
                .execute(Tuple.of(
                        each(feeds, Feed::name),
                        each(feeds, feed -> feed.relation().schema()),
                        each(feeds, feed -> feed.relation().name())))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .filter(row -> !row.getString("excess").isEmpty())
                        .map(row -> "feed " + row.getString("feed") + ": role " + row.getString("role") + " has "
                                + row.getString("excess") + " on " + row.getString("relation"))
                        .toList());
    }

    private static String[] each(List<Feed> feeds, Function<Feed, String> property) {
        return feeds.stream().map(property).toArray(String[]::new);
    }
}

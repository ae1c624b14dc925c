package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Relation;
import dev.tidemark.feed.Feeds;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
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
            SELECT current_user::text AS role, pg_catalog.format('%I.%I', n.nspname, c.relname) AS relation,
              CASE WHEN r.rolsuper THEN 'SUPERUSER'
                WHEN pg_catalog.pg_has_role(c.relowner, 'MEMBER') THEN 'ownership'
                ELSE pg_catalog.concat_ws(', ',
                  CASE WHEN pg_catalog.has_any_column_privilege(c.oid, 'INSERT') THEN 'INSERT' END,
                  CASE WHEN pg_catalog.has_any_column_privilege(c.oid, 'UPDATE') THEN 'UPDATE' END,
                  CASE WHEN pg_catalog.has_table_privilege(c.oid, 'DELETE') THEN 'DELETE' END,
                  CASE WHEN pg_catalog.has_table_privilege(c.oid, 'TRUNCATE') THEN 'TRUNCATE' END,
                  CASE WHEN c.relrowsecurity AND r.rolbypassrls THEN 'BYPASSRLS' END) END AS excess
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_catalog.pg_roles r ON r.rolname = current_user
            WHERE n.nspname = $1::text AND c.relname = $2::text""";

    private final Pool pool;

    PrivilegeCheck(Pool pool) {
        this.pool = pool;
    }

    /** Runs when the feeds have been resolved. */
    void onStart(@Observes @Priority(2001) StartupEvent start, Feeds feeds) {
        List<String> excess = excess(feeds.all())
                .ifNoItem()
                .after(PATIENCE)
                .fail()
                .onFailure()
                .invoke(failure -> LOG.debug("What the database role may do is not known", failure))
                .onFailure()
                .recoverWithItem(List.of())
                .await()
                .indefinitely();
        if (!excess.isEmpty()) {
            LOG.warn(
                    "To read is all that is needed, and the database role may do more; GRANT SELECT to one that owns nothing:"
                            + "\n    " + String.join("\n    ", excess));
        }
    }

    /** @return a line for each feed over whose relation the role has more power than to read it */
    Uni<List<String>> excess(List<Feed> feeds) {
        return Multi.createFrom()
                .iterable(feeds)
                .onItem()
                .transformToMultiAndConcatenate(feed -> excess(feed.relation())
                        .map(row -> "feed " + feed.name() + ": role " + row.getString("role") + " has "
                                + row.getString("excess") + " on " + row.getString("relation")))
                .collect()
                .asList();
    }

    private Multi<Row> excess(Relation relation) {
        return pool.preparedQuery(EXCESS)
                .execute(Tuple.of(relation.schema(), relation.name()))
                .onItem()
                .transformToMulti(rows -> Multi.createFrom().iterable(rows))
                .filter(row -> !row.getString("excess").isEmpty());
    }
}

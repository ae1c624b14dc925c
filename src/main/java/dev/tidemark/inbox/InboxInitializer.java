package dev.tidemark.inbox;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Sees to it, before the feeds are held against the database, that the inbox is there with the sample asked for. */
@ApplicationScoped
@IfBuildProfile(anyOf = {"dev", "test", "try-it"})
class InboxInitializer {

    private static final Logger LOG = Logger.getLogger(InboxInitializer.class);

    /** "tidemark" in ASCII. Two processes that start on one database would create the tables twice. */
    static final long LOCK = 0x74_69_64_65_6d_61_72_6bL;

    /** For a billion rows rather than for ten thousand; a database that is away fails at once. */
    private static final Duration PATIENCE = Duration.ofHours(6);

    private final Pool pool;
    private final SampleMessages wanted;

    @Inject
    InboxInitializer(@ReactiveDataSource("inbox") Pool pool, InboxConfig config) {
        this(pool, new SampleMessages(config.rows(), config.seed()));
    }

    InboxInitializer(Pool pool, SampleMessages wanted) {
        this.pool = pool;
        this.wanted = wanted;
    }

    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) StartupEvent event) {
        var made = pool.withTransaction(this::makeIfMissing).await().atMost(PATIENCE);
        if (made) {
            pool.withConnection(this::vacuum).await().atMost(PATIENCE);
        }
    }

    /** So that the first requests find statistics, and pages that nobody has to visit to see which rows are visible. */
    private Uni<?> vacuum(SqlConnection connection) {
        return connection
                .query("set statement_timeout = 0")
                .execute()
                .chain(() ->
                        connection.query("vacuum (analyze) public.messages").execute())
                .chain(() -> connection.query("reset statement_timeout").execute());
    }

    /** Whether it was made just now. Messages that were changed since they were made are left as they are. */
    private Uni<Boolean> makeIfMissing(SqlConnection connection) {
        return connection
                .query("set local statement_timeout = 0") // also for the lock: the other process may load for minutes
                .execute()
                .chain(() -> connection
                        .preparedQuery("select pg_advisory_xact_lock($1)")
                        .execute(Tuple.of(LOCK)))
                .chain(() -> connection.query(InboxSchema.PREPARE).execute())
                .chain(() -> connection
                        .query("select to_regclass('public.messages') is not null, rows, seed, version"
                                + " from (values (1)) as one left join inbox.sample on true")
                        .execute())
                .map(found -> found.iterator().next())
                .chain(found -> {
                    var there = found.getBoolean(0);
                    var rows = found.getLong(1);
                    if (there && rows == null) {
                        throw new ConfigurationException(
                                "The database has a table public.messages that Tidemark did not make:"
                                        + " the try-it run wants a database of its own.");
                    }
                    var asWanted = there
                            && new SampleMessages(rows, found.getLong(2)).equals(wanted)
                            && found.getInteger(3) == SampleMessages.VERSION;
                    return asWanted ? Uni.createFrom().item(false) : make(connection);
                });
    }

    private Uni<Boolean> make(SqlConnection connection) {
        LOG.infof("Making %,d sample messages. This is done once.", wanted.rows());
        return connection
                .query(InboxSchema.DROP)
                .execute()
                .chain(() -> connection.query(InboxSchema.CREATE).execute())
                .chain(() -> wanted.insertInto(connection))
                .chain(() -> connection.query(InboxSchema.FINISH).execute())
                .chain(() -> connection
                        .preparedQuery("insert into inbox.sample values ($1, $2, $3)")
                        .execute(Tuple.of(wanted.rows(), wanted.seed(), SampleMessages.VERSION)))
                .replaceWith(true);
    }
}

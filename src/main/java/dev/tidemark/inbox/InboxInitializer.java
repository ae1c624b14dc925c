package dev.tidemark.inbox;

import dev.tidemark.settings.Settings;
import dev.tidemark.start.Preparation;
import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Creates the inbox with the configured sample, unless the sample exists.
 */
@ApplicationScoped
@IfBuildProfile(anyOf = {"dev", "test", "try-it"})
class InboxInitializer implements Preparation {

    private static final Logger LOG = Logger.getLogger(InboxInitializer.class);

    /**
     * The advisory lock that prevents two processes from creating the tables at the same time: "tidemark" in ASCII.
     */
    static final long LOCK = 0x74_69_64_65_6d_61_72_6bL;

    /** Long enough for a billion rows. If the database is unavailable, startup fails immediately. */
    private static final Duration TIMEOUT = Duration.ofHours(6);

    private final Pool pool;
    private final SampleMessages configuredSample;

    @Inject
    InboxInitializer(@ReactiveDataSource("inbox") Pool pool, InboxConfig config, SmallRyeConfig source) {
        this(pool, new SampleMessages(config.rows(), config.seed()));
        new Settings(List.of(InboxConfig.class)).check(source);
    }

    InboxInitializer(Pool pool, SampleMessages configuredSample) {
        this.pool = pool;
        this.configuredSample = configuredSample;
    }

    @Override
    public void prepare() {
        var created = pool.withTransaction(this::createIfMissing).await().atMost(TIMEOUT);
        if (created) {
            pool.withConnection(this::vacuum).await().atMost(TIMEOUT);
        }
    }

    /** Creates statistics and a visibility map, so that the first requests are as fast as later ones. */
    private Uni<?> vacuum(SqlConnection connection) {
        return connection
                .query("set statement_timeout = 0")
                .execute()
                .chain(() -> connection
                        .query("vacuum (analyze) public.messages, inbox.agents, inbox.customers")
                        .execute())
                .chain(() -> connection.query("reset statement_timeout").execute());
    }

    /**
     * Returns whether the sample was created. A sample of the current version, with the configured seed and number of
     * rows, is kept, even if its messages have been changed.
     */
    private Uni<Boolean> createIfMissing(SqlConnection connection) {
        // The statement timeout would also apply to the wait for the lock, which another process can hold for minutes.
        return connection
                .query("set local statement_timeout = 0")
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
                    var exists = found.getBoolean(0);
                    var rows = found.getLong(1);
                    if (exists && rows == null) {
                        throw new ConfigurationException(
                                "The database has a table public.messages that was not created by Tidemark."
                                        + " The try-it run needs a database of its own.");
                    }
                    var matches = exists
                            && new SampleMessages(rows, found.getLong(2)).equals(configuredSample)
                            && found.getInteger(3) == SampleMessages.VERSION;
                    return matches ? Uni.createFrom().item(false) : create(connection);
                });
    }

    private Uni<Boolean> create(SqlConnection connection) {
        LOG.infof(
                "Creating %,d sample messages. Later starts with the same settings reuse them.",
                configuredSample.rows());
        return connection
                .query(InboxSchema.DROP)
                .execute()
                .chain(() -> connection.query(InboxSchema.CREATE).execute())
                .chain(() -> SamplePeople.insertInto(connection))
                .chain(() -> configuredSample.insertInto(connection))
                .chain(() -> connection.query(InboxSchema.FINISH).execute())
                .chain(() -> connection
                        .preparedQuery("insert into inbox.sample values ($1, $2, $3)")
                        .execute(Tuple.of(configuredSample.rows(), configuredSample.seed(), SampleMessages.VERSION)))
                .replaceWith(true);
    }
}

package dev.tidemark.postgres.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.Await;
import dev.tidemark.paging.Floor;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.postgres.connection.HostAccess;
import dev.tidemark.postgres.connection.ReadPreference;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

@UsesTestDatabase
class HostSelectorTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final int RECORDING_THREADS = 4;

    @Test
    void aHostWhoseFailureHasNoMessageIsUnavailable() {
        HostSelector hosts = selector(failing(new ClosedChannelException()), failing(new ClosedChannelException()));
        assertThatThrownBy(() -> bestHost(hosts)).hasCauseInstanceOf(ClosedChannelException.class);
        assertThat(hosts.all()).extracting(Host::describe).containsOnly("unavailable: ClosedChannelException");
        hosts.close();
    }

    @Test
    void ifOnlyADivergedHostAnswersTheFailureSaysWhyNoHostIsUsed() throws Exception {
        AtomicBoolean isNewPrimaryDown = new AtomicBoolean();
        HostSelector hosts = selector(primary(1, () -> true), primary(2, () -> !isNewPrimaryDown.get()));
        Await.until(
                "the primary of the newer timeline is used",
                () -> bestHost(hosts).name().equals("second:5432"));
        isNewPrimaryDown.set(true);
        Await.until("no host is used", () -> hosts.bestKnownHost().isEmpty());
        assertThatThrownBy(() -> bestHost(hosts))
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("no host serves pages: first:5432 is diverged: it is the primary of an older"
                        + " timeline; second:5432 is unavailable: ");
        hosts.close();
    }

    @Test
    void onlyThePrimaryIsAskedIfTheReadNeedsIt() throws Exception {
        HostSelector hosts = selector(standby(), primary(1, () -> true));
        Await.until(
                "only the primary is asked", () -> candidatesForPrimary(hosts).equals(List.of("second:5432")));
        assertThat(bestHost(hosts).name()).isEqualTo("second:5432");
        hosts.close();
    }

    @Test
    void noHostIsAskedIfTheReadNeedsThePrimaryAndAHostDoesNotAnswer() throws Exception {
        HostSelector hosts = selector(standby(), failing(new IOException("down")));
        assertThat(bestHost(hosts).name()).isEqualTo("first:5432");
        assertThat(candidatesForPrimary(hosts)).isEmpty();
        hosts.close();
    }

    @Test
    void standbysAreAskedIfTheReadNeedsThePrimaryAndAllHostsAreStandbys() throws Exception {
        HostSelector hosts = selector(standby(), standby());
        bestHost(hosts);
        Await.until("both standbys are asked", () -> candidatesForPrimary(hosts)
                .equals(List.of("first:5432", "second:5432")));
        hosts.close();
    }

    /**
     * Event loops record what their reads have shown at the same time, and none may lose what another has recorded.
     */
    @Test
    void theFloorOfAListIsNeverEarlierThanWhatAnyThreadHasRecorded() throws Exception {
        HostSelector hosts = selector(standby(), standby());
        ReadPreference list = new ReadPreference(ReadPreference.Kind.STICKY, Optional.empty(), 7);
        CyclicBarrier start = new CyclicBarrier(RECORDING_THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(RECORDING_THREADS);
        List<java.util.concurrent.Future<Integer>> losses = new ArrayList<>();
        for (int thread = 0; thread < RECORDING_THREADS; thread++) {
            Random random = new Random(thread);
            losses.add(threads.submit(() -> {
                start.await();
                int lost = 0;
                for (int i = 0; i < 50_000; i++) {
                    Floor shown = new Floor(1, 1 + i / 25_000, i + random.nextInt(100), i, i + random.nextInt(100));
                    Floor before = hosts.floor(list).orElse(shown);
                    hosts.recordShown(list, shown);
                    Floor after = hosts.floor(list).orElseThrow();
                    lost += after.later(shown).equals(after)
                                    && after.later(before).equals(after)
                            ? 0
                            : 1;
                }
                return lost;
            }));
        }
        for (java.util.concurrent.Future<Integer> lost : losses) {
            assertThat(lost.get()).isZero();
        }
        threads.shutdown();
        hosts.close();
    }

    private static List<String> candidatesForPrimary(HostSelector hosts) {
        return hosts.candidates(ReadPreference.ofPrimary(Optional.empty())).stream()
                .map(Host::name)
                .toList();
    }

    private HostSelector selector(HostAccess... access) {
        return new HostSelector(
                List.of("first:5432", "second:5432"),
                index -> access[index],
                Duration.ofSeconds(10),
                primary -> {},
                new SimpleMeterRegistry(),
                DATABASE.vertx());
    }

    private static Host bestHost(HostSelector hosts) throws Exception {
        return hosts.bestHost().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    /**
     * A primary on the given timeline, according to the polls that it answers.
     *
     * @param isUp whether it answers
     */
    private static HostAccess primary(int timeline, BooleanSupplier isUp) {
        return answering("SELECT false, 1000::int8, false, " + timeline + ", 7::int8, 1000::int8", isUp);
    }

    /** A standby that follows the primary of the first timeline. */
    private static HostAccess standby() {
        return answering("SELECT true, 1000::int8, false, 1, 7::int8, 1000::int8", () -> true);
    }

    private static HostAccess answering(String answer, BooleanSupplier isUp) {
        PgConnection connection = (PgConnection) Proxy.newProxyInstance(
                PgConnection.class.getClassLoader(),
                new Class<?>[] {PgConnection.class},
                (proxy, method, values) -> switch (method.getName()) {
                    case "preparedQuery" -> DATABASE.pool().preparedQuery(isUp.getAsBoolean() ? answer : "down");
                    case "close" -> Future.succeededFuture();
                    default -> proxy;
                });
        return access(() -> isUp.getAsBoolean()
                ? Future.succeededFuture(connection)
                : Future.failedFuture(new IOException("down")));
    }

    private static HostAccess failing(Throwable failure) {
        return access(() -> Future.failedFuture(failure));
    }

    private static HostAccess access(Supplier<Future<PgConnection>> connect) {
        return new HostAccess() {
            @Override
            public Future<PgConnection> connectForPolls(Duration idleTimeout) {
                return connect.get();
            }

            @Override
            public void cut() {}
        };
    }
}

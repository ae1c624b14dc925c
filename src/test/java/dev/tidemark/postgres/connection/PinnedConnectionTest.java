package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.local.FaultyProxy;
import dev.tidemark.local.TestPostgres;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.rows.StatementRow;
import dev.tidemark.postgres.rows.WireRowReceiver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One connection to a real PostgreSQL, on its own event loop. */
@BesideQuarkusTests
class PinnedConnectionTest {

    private static final Duration LONGEST_WAIT = Duration.ofMillis(500);

    /** Longer than any statement takes or waits on a busy machine. */
    private static final Duration NO_LIMIT = Duration.ofMinutes(1);

    private static final OldPlans OLD_PLANS = new OldPlans(Duration.ofMillis(50));

    private static final int LOCK = 7;

    /** A statement that takes as long as the test holds a {@link Hold}. */
    private static final String HELD = "SELECT pg_advisory_xact_lock_shared(" + LOCK + "), $1";

    private final TableReads.ByTables tables = new TableReads.ByTables(new SimpleMeterRegistry(), "pinned");
    private final TableReads table = tables.of(List.of("some"));

    private final PgConnectOptions options = PgConnectOptions.fromUri(TestPostgres.newDatabase())
            .setUser("postgres")
            .setCachePreparedStatements(true);
    private final Vertx vertx = Vertx.vertx();
    private final ContextInternal context = (ContextInternal) vertx.getOrCreateContext();

    private PinnedConnection pinned = newConnection(this::connect, NO_LIMIT);

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void eachStatementGetsItsOwnResult() {
        awaitOpen();
        List<CompletableFuture<String>> answers =
                IntStream.range(0, 3_000).mapToObj(i -> query("SELECT $1", i)).toList();
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).join()).isEqualTo(Integer.toString(i));
        }
        assertThat(pinned.inFlightCount()).isZero();
    }

    @Test
    void aFailedStatementDoesNotAffectOthers() {
        awaitOpen();
        CompletableFuture<String> before = query("SELECT $1", 1);
        CompletableFuture<String> wrong = query("SELECT $1 / 0", 1);
        CompletableFuture<String> unknown = query("SELECT nothing, $1", 1);
        CompletableFuture<String> after = query("SELECT $1", 2);
        assertThat(before.join()).isEqualTo("1");
        assertThat(failure(wrong)).isInstanceOf(PgException.class);
        assertThat(failure(unknown)).isInstanceOf(PgException.class);
        assertThat(after.join()).isEqualTo("2");
    }

    @Test
    void aStatementWhoseRowsAreRejectedDoesNotAffectOthers() {
        awaitOpen();
        CompletableFuture<String> thrown = new CompletableFuture<>();
        onLoop(() -> pinned.run(
                new Execution<>(
                        table,
                        "SELECT $1",
                        Tuple.of("1"),
                        RowReceiver.of(Collectors.mapping(PinnedConnectionTest::reject, Collectors.joining()))),
                answer -> thrown.completeExceptionally(answer.cause())));
        CompletableFuture<String> after = query("SELECT $1", 2);
        assertThat(failure(thrown)).hasMessage("a sink that throws");
        assertThat(after.join()).isEqualTo("2");
    }

    @Test
    void aStatementWhoseWireRowsAreRejectedDoesNotAffectOthers() {
        awaitOpen();
        CompletableFuture<String> thrown = new CompletableFuture<>();
        onLoop(() -> pinned.run(
                new Execution<>(table, "SELECT $1", Tuple.of("1"), new WireOnlyReceiver(row -> {
                    throw new IllegalStateException("a sink that throws");
                })),
                answer -> thrown.completeExceptionally(answer.cause())));
        CompletableFuture<String> after = query("SELECT $1", 2);
        assertThat(failure(thrown)).hasMessage("a sink that throws");
        assertThat(after.join()).isEqualTo("2");
    }

    @Test
    void rowsFromTheWireBelongToTheirStatement() {
        awaitOpen();
        List<CompletableFuture<String>> answers = IntStream.range(0, 1_000)
                .mapToObj(i -> i % 3 == 0 ? query("SELECT $1", i) : queryWireRows(i))
                .toList();
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).join()).isEqualTo(Integer.toString(i));
        }
    }

    /** Executes one of many different statements, so that some are being prepared while others are in flight. */
    private CompletableFuture<String> queryWireRows(int value) {
        CompletableFuture<String> result = new CompletableFuture<>();
        List<String> rows = new ArrayList<>();
        onLoop(() -> pinned.run(
                new Execution<>(
                        table,
                        "SELECT $1::text, " + value % 50,
                        Tuple.of(Integer.toString(value)),
                        new WireOnlyReceiver(row -> {
                            rows.add(row.text(0));
                            return false;
                        })),
                answer -> result.complete(String.join(",", rows))));
        return result;
    }

    @Test
    void aStatementSentOutOfOrderGetsItsOwnRows() {
        awaitOpen();
        CompletableFuture<List<CompletableFuture<String>>> queries = new CompletableFuture<>();
        onLoop(() -> queries.complete(List.of(
                querySql("SELECT 'before ' || $1::text", Tuple.of("a")),
                // The first parameter does not occur in the statement, so the driver has to ask for its type.
                querySql("SELECT 'untyped ' || $2::text", Tuple.of("a", "b")),
                querySql("SELECT 'after ' || $1::text", Tuple.of("c")),
                querySql("SELECT 'before ' || $1::text", Tuple.of("d")))));
        List<String> results =
                queries.join().stream().map(PinnedConnectionTest::resultOrLost).toList();
        List<String> expected = List.of("before a", "untyped b", "after c", "before d");
        for (int i = 0; i < expected.size(); i++) {
            assertThat(results.get(i)).isIn("lost", expected.get(i));
        }
        awaitOpen();
        assertThat(query("SELECT $1", 1).join()).isEqualTo("1");
        assertThat(pinned.inFlightCount()).isZero();
    }

    private static String resultOrLost(CompletableFuture<String> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            assertThat(Failures.isConnectionLost(e.getCause())).isTrue();
            return "lost";
        }
    }

    /** Called on the event loop, so that the statements of one task are sent together. */
    private CompletableFuture<String> querySql(String sql, Tuple values) {
        CompletableFuture<String> result = new CompletableFuture<>();
        List<String> rows = new ArrayList<>();
        WireOnlyReceiver wireOnly = new WireOnlyReceiver(row -> {
            rows.add(row.text(0));
            return false;
        });
        pinned.run(new Execution<>(table, sql, values, wireOnly), answer -> {
            if (answer.succeeded()) {
                result.complete(String.join(",", rows));
            } else {
                result.completeExceptionally(answer.cause());
            }
        });
        return result;
    }

    /** Accepts rows only in the wire format: a row that the driver has decoded fails the test. */
    private record WireOnlyReceiver(WireRowReceiver wire) implements RowReceiver<Void> {

        @Override
        public Collector<Row, ?, Void> collector() {
            return Collectors.reducing(null, row -> fail("a row that the driver has decoded"), (one, other) -> one);
        }

        @Override
        public boolean isRetryable() {
            return true;
        }

        @Override
        public boolean acceptsWireRows() {
            return true;
        }

        @Override
        public boolean receive(StatementRow row) {
            return wire.receive(row);
        }
    }

    private static String reject(Row row) {
        throw new IllegalStateException("a sink that throws");
    }

    @Test
    void statementsInFlightFailWhenTheConnectionEndsAndItIsReplaced() {
        awaitOpen();
        int first = Integer.parseInt(query("SELECT pg_backend_pid() + $1", 0).join());
        List<CompletableFuture<String>> waiting = new ArrayList<>();
        waiting.add(query("SELECT pg_sleep(60), $1", 0));
        IntStream.range(0, 20).forEach(i -> waiting.add(query("SELECT $1", i)));
        terminate(first);
        assertThat(waiting).allSatisfy(answer -> assertThat(Failures.isConnectionLost(failure(answer)))
                .isTrue());
        assertThat(pinned.inFlightCount()).isZero();
        awaitOpen();
        assertThat(query("SELECT pg_backend_pid() + $1", 0).join()).isNotEqualTo(Integer.toString(first));
    }

    @Test
    void aStatementWithoutAConnectionFailsAsLost() {
        assertThat(failure(query("SELECT $1", 1))).isInstanceOf(ClosedConnectionException.class);
    }

    @Test
    void aStatementThatWouldWaitTooLongIsRejectedAtOnce() {
        pinned = newConnection(this::connect, Duration.ofMillis(100));
        awaitOpen();
        CompletableFuture<List<CompletableFuture<String>>> sent = new CompletableFuture<>();
        CompletableFuture<Throwable> late = new CompletableFuture<>();
        onLoop(() -> {
            List<CompletableFuture<String>> taken = IntStream.range(0, 128)
                    .mapToObj(i -> query("SELECT pg_sleep(0.02), $1", i))
                    .toList();
            taken.get(40).whenComplete((answer, failure) -> {
                List<CompletableFuture<String>> more = IntStream.range(0, 50)
                        .mapToObj(i -> query("SELECT pg_sleep(0.02), $1", i))
                        .toList();
                // On the event loop, no answer can arrive meanwhile.
                late.complete(more.get(49).isDone() ? failure(more.get(49)) : null);
            });
            sent.complete(taken);
        });
        assertThat(late.join()).isSameAs(ReadFailures.WAIT_TOO_LONG);
        assertThat(sent.join()).allSatisfy(answer -> assertThat(answer.join()).isNotNull());
    }

    /** If they counted, the mean time would sink from 20 ms to 1 ms, and the last statement would be accepted. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void statementsThatFailWithTheirConnectionDoNotCountAsFastAnswers(boolean serverSaysSo) throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(options.getPort())) {
            options.setPort(proxy.port());
            pinned = newConnection(this::connect, Duration.ofMillis(400));
            awaitOpen();
            int backend =
                    Integer.parseInt(query("SELECT pg_backend_pid() + $1", 0).join());
            List<CompletableFuture<String>> slow = sendTogether(128);
            slow.get(60).join();
            if (serverSaysSo) {
                terminate(backend);
            } else {
                proxy.cut();
            }
            assertThat(Failures.isConnectionLost(failure(slow.get(127)))).isTrue();
            awaitOpen();
            assertThat(failure(sendTogether(140).get(139))).isSameAs(ReadFailures.WAIT_TOO_LONG);
        }
    }

    /** Sends statements that take 20 ms each, before the first of them can be answered. */
    private List<CompletableFuture<String>> sendTogether(int count) {
        CompletableFuture<List<CompletableFuture<String>>> sent = new CompletableFuture<>();
        onLoop(() -> sent.complete(IntStream.range(0, count)
                .mapToObj(i -> query("SELECT pg_sleep(0.02), $1", i))
                .toList()));
        return sent.join();
    }

    @Test
    void aSlowStatementKeepsOthersFromBeingAccepted() {
        pinned = newConnection(this::connect, LONGEST_WAIT);
        awaitOpen();
        CompletableFuture<String> slow;
        try (Hold hold = new Hold()) {
            slow = query(HELD, 0);
            Await.until("the connection accepts no statements", () -> !tryOpen());
            assertThat(slow).isNotDone();
        }
        slow.join();
        assertThat(tryOpen()).isTrue();
    }

    @Test
    void statementsBehindOneThatMeetsALockDoNotWaitForLocksOneAfterTheOther() {
        options.addProperty("lock_timeout", "50");
        awaitOpen();
        try (Lock lock = new Lock()) {
            TableReads others = tables.of(List.of("others"));
            CompletableFuture<List<CompletableFuture<String>>> sent = new CompletableFuture<>();
            onLoop(() -> sent.complete(List.of(
                    query("SELECT count(*) + $1 FROM locked", 0),
                    query(others, "SELECT $1", 1),
                    query("SELECT count(*) + $1 FROM locked", 2))));
            assertThat(Failures.isLockTimeout(failure(sent.join().get(0)))).isTrue();
            assertThat(failure(sent.join().get(1))).isSameAs(ReadFailures.BLOCKED);
            assertThat(failure(sent.join().get(2))).isSameAs(ReadFailures.BLOCKED);
            assertThat(table.lock().isSuspected()).isTrue();
            assertThat(others.lock().isSuspected()).isFalse();
            assertThat(pinned.inFlightCount()).isZero();
        }
        awaitOpen();
        assertThat(query("SELECT count(*) + $1 FROM locked", 3).join()).isEqualTo("3");
    }

    @Test
    void theConnectionStaysOpenIfNoOtherStatementMeetsTheLock() {
        options.addProperty("lock_timeout", "50");
        awaitOpen();
        String session = query("SELECT pg_backend_pid() + $1", 0).join();
        try (Lock lock = new Lock()) {
            TableReads others = tables.of(List.of("others"));
            CompletableFuture<String> locked = query("SELECT count(*) + $1 FROM locked", 0);
            assertThat(query(others, "SELECT pg_backend_pid() + $1", 0).join()).isEqualTo(session);
            assertThat(Failures.isLockTimeout(failure(locked))).isTrue();
        }
    }

    @Test
    void statementsBehindASlowOneOfAnotherTableAreRepeatedOverAPool() {
        pinned = newConnection(this::connect, LONGEST_WAIT);
        awaitOpen();
        TableReads others = tables.of(List.of("others"));
        try (Hold hold = new Hold()) {
            CompletableFuture<String> slow = query(HELD, 0);
            assertThat(failure(query(others, "SELECT $1", 1))).isSameAs(ReadFailures.BLOCKED);
            assertThat(failure(slow)).isSameAs(ReadFailures.BLOCKED);
        }
        assertThat(table.pinned().hasRoom(1)).isFalse();
        assertThat(others.pinned().hasRoom(1)).isTrue();
        awaitOpen();
        assertThat(query("SELECT $1", 3).join()).isEqualTo("3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"some", "some, authors"})
    void statementsBehindASlowOneOfTheSameTableWait(String others) {
        pinned = newConnection(this::connect, LONGEST_WAIT);
        awaitOpen();
        CompletableFuture<String> slow;
        CompletableFuture<String> waiting;
        try (Hold hold = new Hold()) {
            slow = query(HELD, 0);
            waiting = query(tables.of(List.of(others.split(", "))), "SELECT $1", 1);
            Await.until("both have waited too long", () -> !tryOpen());
            // The connection checks the waits eight times in this time.
            join(vertx.timer(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS));
            assertThat(waiting).isNotDone();
        }
        slow.join();
        assertThat(waiting.join()).isEqualTo("1");
    }

    /** The first statement raises the mean time by an eighth of its own time, to at least 75 ms. */
    @Test
    void aSlowStatementLeavesLittleRoomForOthersOfItsTables() {
        awaitOpen();
        assertThat(table.pinned().hasRoom(1)).isTrue();
        query("SELECT pg_sleep(0.6), $1", 0).join();
        assertThat(table.pinned().hasRoom(1)).isFalse();
        assertThat(table.lock().isSuspected()).isFalse();
        Await.until("fast statements have made room", () -> {
            query("SELECT $1", 1).join();
            return table.pinned().hasRoom(1);
        });
        assertThat(table.pinned().inFlightCount()).isZero();
    }

    /** Keeps the statements {@link #HELD} running. */
    private final class Hold implements AutoCloseable {

        private final PgConnection owner = join(PgConnection.connect(vertx, options));

        Hold() {
            join(owner.query("SELECT pg_advisory_lock(" + LOCK + ")").execute());
        }

        @Override
        public void close() {
            join(owner.close());
        }
    }

    /** An exclusive lock on the table locked. */
    private final class Lock implements AutoCloseable {

        private final PgConnection owner = join(PgConnection.connect(vertx, options));

        Lock() {
            join(owner.query("CREATE TABLE IF NOT EXISTS locked ()").execute());
            join(owner.query("BEGIN; LOCK TABLE locked").execute());
        }

        @Override
        public void close() {
            // The server may notice the end of a connection later.
            join(owner.query("ROLLBACK").execute());
            join(owner.close());
        }
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    /** The last statement would fail because of its own timeout after 15 s. */
    @Test
    void aStatementDoesNotWaitForEarlierTimeouts() {
        options.addProperty("statement_timeout", "500");
        pinned = new PinnedConnection(context, this::connect, NO_LIMIT, Duration.ofSeconds(4), OLD_PLANS);
        awaitOpen();
        List<CompletableFuture<String>> waiting = IntStream.range(0, 30)
                .mapToObj(i -> query("SELECT pg_sleep(60), $1", i))
                .toList();
        assertThat(failure(waiting.get(29))).isSameAs(ReadFailures.SILENT);
    }

    @Test
    void aTimedOutStatementDoesNotCountAsLost() {
        options.addProperty("statement_timeout", "500");
        awaitOpen();
        Throwable failure = failure(query("SELECT pg_sleep(60), $1", 0));
        assertThat(failure).isInstanceOf(PgException.class);
        assertThat(Failures.isConnectionLost(failure)).isFalse();
    }

    @Test
    void connectingToASilentServerTimesOut() {
        AtomicInteger attempts = new AtomicInteger();
        pinned = new PinnedConnection(
                context,
                () -> attempts.incrementAndGet() == 1
                        ? Promise.<PgConnection>promise().future()
                        : connect(),
                NO_LIMIT,
                Duration.ofSeconds(4),
                OLD_PLANS);
        awaitOpen();
        assertThat(attempts).hasValueGreaterThan(1);
    }

    @Test
    void closingEndsTheSession() {
        awaitOpen();
        String backend = query("SELECT pg_backend_pid() + $1", 0).join();
        pinned.close();
        Await.until("the session has ended", () -> TestDatabase.get()
                .rows("SELECT 1 FROM pg_stat_activity WHERE pid = " + backend)
                .isEmpty());
    }

    private PinnedConnection newConnection(Supplier<Future<PgConnection>> connect, Duration longestWait) {
        return new PinnedConnection(context, connect, longestWait, NO_LIMIT, OLD_PLANS);
    }

    private Future<PgConnection> connect() {
        return PgConnection.connect(vertx, options);
    }

    private void awaitOpen() {
        Await.until("the connection is open", this::tryOpen);
    }

    private boolean tryOpen() {
        CompletableFuture<Boolean> open = new CompletableFuture<>();
        onLoop(() -> open.complete(pinned.tryOpen()));
        return open.join();
    }

    /** The first column of the result. */
    private CompletableFuture<String> query(String sql, int value) {
        return query(table, sql, value);
    }

    private CompletableFuture<String> query(TableReads reads, String sql, int value) {
        CompletableFuture<String> result = new CompletableFuture<>();
        onLoop(() -> pinned.run(
                new Execution<>(
                        reads,
                        sql.replace("$1", "$1::text::int"),
                        Tuple.of(Integer.toString(value)),
                        RowReceiver.of(
                                Collectors.mapping(row -> String.valueOf(row.getValue(0)), Collectors.joining()))),
                answer -> {
                    if (answer.succeeded()) {
                        result.complete(answer.result().value());
                    } else {
                        result.completeExceptionally(answer.cause());
                    }
                }));
        return result;
    }

    /** Runs a task on the event loop: at once, if this is called on the event loop. */
    private void onLoop(Runnable task) {
        context.emit(here -> task.run());
    }

    private static void terminate(int backend) {
        TestDatabase.get().rows("SELECT pg_terminate_backend(" + backend + ")");
    }

    private static Throwable failure(CompletableFuture<?> answer) {
        return answer.handle((result, failure) -> failure)
                .thenApply(failure -> failure instanceof CompletionException ? failure.getCause() : failure)
                .join();
    }
}

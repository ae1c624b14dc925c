package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import io.vertx.core.impl.NoStackTraceThrowable;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@UsesTestDatabase
class ReadFailuresTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    /**
     * Every code of the server's own list has a meaning: those of the classes of connections, resources, operators,
     * and foreign servers, and those of conflicts, say that the database is unavailable. All others come from the SQL
     * of the tables' owner, except three of them outside a function.
     */
    @Test
    void everyCodeIsClassified() throws IOException {
        Set<String> unavailable = new TreeSet<>();
        Set<String> feedUnavailable = new TreeSet<>();
        Set<String> others = new TreeSet<>();
        for (String state : states()) {
            Throwable translated = translate(error(state, null));
            if (translated instanceof ReadFailure failure && failure.reason() == ReadFailure.Reason.UNAVAILABLE) {
                unavailable.add(state);
            } else if (translated instanceof ReadFailure failure
                    && failure.reason() == ReadFailure.Reason.FEED_UNAVAILABLE) {
                feedUnavailable.add(state);
            } else {
                others.add(state);
            }
        }
        assertThat(others).containsExactly("26000", "42601", "42P05", "57014");
        assertThat(unavailable.stream().map(state -> state.substring(0, 2)).distinct())
                .containsExactly("08", "25", "28", "2F", "3D", "40", "53", "55", "57", "58", "HV");
        assertThat(unavailable)
                .filteredOn(state -> Set.of("25", "2F", "55").contains(state.substring(0, 2)))
                .containsExactlyElementsOf(Stream.of("25P03", "25P04", "2F003", "55000", "55006", "55P03")
                        .filter(states()::contains)
                        .toList());
        assertThat(feedUnavailable).hasSizeGreaterThan(150);
    }

    /** The codes of the list that the server comes with, from which it and PL/pgSQL are built. */
    private static List<String> states() throws IOException {
        String directory = DATABASE.rows("SELECT setting FROM pg_config WHERE name = 'SHAREDIR'")
                .get(0)
                .getString(0);
        try (Stream<String> lines = Files.lines(Path.of(directory, "errcodes.txt"))) {
            return lines.filter(line -> line.matches("[0-9A-Z]{5}\\s+[EWS]\\s.*"))
                    .map(line -> line.substring(0, 5))
                    .distinct()
                    .toList();
        }
    }

    /** A function can raise any code, also those of Tidemark's own mistakes and those of nobody. */
    @ParameterizedTest
    @ValueSource(strings = {"42601", "26000", "42P05", "XYZ12", "00000", "02000", "P0001"})
    void anErrorWithinAFunctionIsTheFaultOfItsOwner(String state) {
        assertThat(reason(translate(error(state, "PL/pgSQL function sret(text) line 3 at RAISE"))))
                .isEqualTo(ReadFailure.Reason.FEED_UNAVAILABLE);
    }

    @Test
    void anErrorWithoutACodeIsUnknown() {
        PgException error = error(null, null);
        assertThat(translate(error)).isSameAs(error);
    }

    /**
     * Only a value with a character that an encoding can lack is at fault; otherwise, a function has converted a text.
     */
    @ParameterizedTest
    @CsvSource({
        "22021, a~, UNREPRESENTABLE",
        "22P05, \u20ac, UNREPRESENTABLE",
        "22021, a, FEED_UNAVAILABLE",
        "22P05, , FEED_UNAVAILABLE"
    })
    void aTextThatTheEncodingLacksIsTheRequestsFaultOnlyIfItHasOne(String state, String value, String reason) {
        Tuple values = Tuple.of(value == null ? null : value.replace('~', (char) 0));
        assertThat(reason(ReadFailures.logAndTranslate(error(state, null), Optional.of("posts"), values)))
                .hasToString(reason);
    }

    private static Throwable translate(Throwable failure) {
        return ReadFailures.logAndTranslate(failure, Optional.of("posts"), Tuple.of("value"));
    }

    private static ReadFailure.Reason reason(Throwable translated) {
        return ((ReadFailure) translated).reason();
    }

    private static PgException error(String state, String where) {
        return new PgException(
                "it fails",
                "ERROR",
                state,
                null,
                null,
                null,
                null,
                null,
                where,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /** Recovery conflicts on a standby, deadlocks, a lock timeout, and a materialized view that is not populated. */
    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01", "55P03", "55000"})
    void aTransientFailureIsUnavailable(String state) {
        assertThat(translate(error(state, null))).isInstanceOf(ReadFailure.class);
    }

    /** A foreign server that rejects a connection or is unreachable, or a user mapping that is insufficient. */
    @ParameterizedTest
    @ValueSource(strings = {"HV000", "HV00N", "2F003"})
    void aFailureOfAForeignServerIsUnavailable(String state) {
        assertThat(translate(error(state, null)))
                .isInstanceOfSatisfying(ReadFailure.class, named -> assertThat(named.reason())
                        .isEqualTo(ReadFailure.Reason.UNAVAILABLE));
    }

    /** The driver's errors if a connection was closed before a statement could be sent over it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection is not active now, current status: CLOSED",
                "Pending requests failed to be sent due to connection has been closed."
            })
    void aStatementThatWasNeverSentIsUnavailable(String message) {
        assertThat(translate(new NoStackTraceThrowable(message)))
                .isInstanceOfSatisfying(ReadFailure.class, named -> assertThat(named.reason())
                        .isEqualTo(ReadFailure.Reason.UNAVAILABLE));
    }

    /** A statement that timed out is not retried, because another attempt would take just as long. */
    @Test
    void aStatementTimeoutDoesNotCountAsALostConnection() {
        assertThat(Failures.isConnectionLost(new PgException("it took too long", "ERROR", "57014", null)))
                .isFalse();
        assertThat(Failures.isConnectionLost(new PgException("the server stops", "FATAL", "57P01", null)))
                .isTrue();
    }

    @Test
    void anUnpopulatedMaterializedViewIsUnavailable() {
        DATABASE.run("""
                DROP MATERIALIZED VIEW IF EXISTS unfilled;
                CREATE MATERIALIZED VIEW unfilled AS SELECT 1::bigint AS id WITH NO DATA;
                """);
        Feed feed = DATABASE.feed("table", "unfilled", "key", "id", "orders.o", "id");
        assertThat(failure(feed, Optional.empty())).isInstanceOf(ReadFailure.class);
    }

    @Test
    void aCursorAtARenamedEnumLabelFailsTheRead() {
        DATABASE.run("""
                DROP TABLE IF EXISTS moody;
                DROP TYPE IF EXISTS moody_mood;
                CREATE TYPE moody_mood AS ENUM ('sad', 'happy');
                CREATE TABLE moody (id bigint PRIMARY KEY, mood moody_mood NOT NULL);
                INSERT INTO moody VALUES (1, 'sad'), (2, 'happy');
                ALTER TYPE moody_mood RENAME VALUE 'sad' TO 'blue';
                """);
        Feed feed = DATABASE.feed("table", "moody", "orders.o", "mood");
        // The definition of the order has not changed, so the cursor still belongs to this list.
        Gap gap = Gap.after(Position.of("sad", "1"));
        assertThat(failure(feed, Optional.of(new Continuation(gap, Direction.FORWARD))))
                .isInstanceOf(ReadFailure.class);
    }

    private static Throwable failure(Feed feed, Optional<Continuation> from) {
        try {
            DATABASE.reader()
                    .read(
                            new ListState(feed, feed.orders().byDefault(), List.<Condition>of()),
                            new PageRequest(from, 5),
                            row -> {})
                    .await()
                    .atMost(Duration.ofSeconds(9));
            return null;
        } catch (Throwable failure) {
            return failure;
        }
    }
}

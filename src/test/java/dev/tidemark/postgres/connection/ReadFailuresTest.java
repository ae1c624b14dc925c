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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@UsesTestDatabase
class ReadFailuresTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    /** Recovery conflicts on a standby, deadlocks, a lock timeout, and a materialized view that is not populated. */
    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01", "55P03", "55000"})
    void aTransientFailureIsUnavailable(String state) {
        assertThat(ReadFailures.logAndTranslate(new PgException("it passes", "ERROR", state, null)))
                .isInstanceOf(ReadFailure.class);
    }

    /** A foreign server that rejects a connection or is unreachable, or a user mapping that is insufficient. */
    @ParameterizedTest
    @ValueSource(strings = {"HV000", "HV00N", "2F003"})
    void aFailureOfAForeignServerIsUnavailable(String state) {
        assertThat(ReadFailures.logAndTranslate(new PgException("the other server fails", "ERROR", state, null)))
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
        assertThat(ReadFailures.logAndTranslate(new NoStackTraceThrowable(message)))
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

package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.postgres.Walk;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors whose codes say that the server ends the session, although it goes on. */
@UsesTestDatabase
class FatalErrorTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeEach
    void makeTable() {
        DATABASE.run("""
                DROP TABLE IF EXISTS relayed CASCADE;
                CREATE TABLE relayed (id bigint PRIMARY KEY, code text);
                INSERT INTO relayed SELECT i FROM generate_series(1, 20) AS i;
                CREATE OR REPLACE FUNCTION relay(code text) RETURNS boolean LANGUAGE plpgsql STABLE AS
                  $$ BEGIN IF code IS NOT NULL THEN RAISE 'it ends' USING ERRCODE = code; END IF; RETURN true; END $$;
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"57P01", "57P02", "57P03", "57P05", "25P03", "25P04", "08006"})
    void aPageIsUnavailableAndTheNextOneIsServed(String code) {
        Feed feed = DATABASE.feed("table", "relayed", "orders.o", "id", "visible", "relay(code)");
        DATABASE.run("UPDATE relayed SET code = '" + code + "' WHERE id = 7");
        for (int i = 0; i < 3; i++) {
            assertThat(catchThrowable(() -> new Walk(DATABASE.reader(), feed, 3).forward()))
                    .isInstanceOfSatisfying(ReadFailure.class, failure -> {
                        assertThat(failure.reason()).isEqualTo(ReadFailure.Reason.UNAVAILABLE);
                        assertThat(failure)
                                .as("not one that had to be waited for")
                                .isNotSameAs(ReadFailures.SILENT);
                    });
        }
        DATABASE.run("UPDATE relayed SET code = NULL WHERE id = 7");
        assertThat(new Walk(DATABASE.reader(), feed, 3).forward()).hasSize(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"57P01", "57P05", "25P03"})
    void theConnectionIsClosed(String code) {
        PgConnection connection = join(DATABASE.database().connectPinned());
        CompletableFuture<Void> closed = new CompletableFuture<>();
        connection.closeHandler(closed::complete);
        assertThat(catchThrowable(() ->
                        join(connection.query("SELECT relay('" + code + "')").execute())))
                .hasCauseInstanceOf(PgException.class)
                .hasMessageContaining(code);
        closed.orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** The checks of feeds use the pool without the runner of pages. */
    @Test
    void aStatementOfAPoolFails() {
        for (int i = 0; i < 3; i++) {
            assertThat(catchThrowable(() -> join(DATABASE.pool()
                            .preparedQuery("SELECT relay('57P01')")
                            .execute())))
                    .isInstanceOf(CompletionException.class)
                    .hasMessageContaining("57P01");
        }
        assertThat(join(DATABASE.pool().query("SELECT 1").execute())).hasSize(1);
    }

    private static <T> T join(io.vertx.core.Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }
}

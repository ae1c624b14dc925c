package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@UsesTestDatabase
class StatementCheckTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    /** Otherwise, pages that are read over the connection later would fail, because its transaction has failed. */
    @Test
    void aTableThatIsLockedDuringTheCheckLeavesNoTransactionBehind() {
        DATABASE.run("DROP TABLE IF EXISTS checked CASCADE; CREATE TABLE checked (id bigint PRIMARY KEY)");
        Feed feed = DATABASE.feed("table", "checked", "orders.o", "id");
        SqlConnection owner = join(DATABASE.writePool().getConnection());
        try {
            join(owner.query("BEGIN; LOCK TABLE checked").execute());
            assertThatThrownBy(() -> check(feed)).hasMessageContaining("lock timeout");
        } finally {
            join(owner.query("ROLLBACK").execute());
            join(owner.close());
        }
        for (int i = 0; i < 10; i++) {
            check(feed);
            join(DATABASE.pool().query("SELECT 1").execute());
        }
    }

    @Test
    void aConditionMayContainWhatLooksLikeAParameter() {
        DATABASE.run("""
                DROP VIEW IF EXISTS checked_by_offset;
                DROP TABLE IF EXISTS checked;
                CREATE TABLE checked (id bigint PRIMARY KEY, body text);
                CREATE VIEW checked_by_offset AS SELECT * FROM checked;
                """);
        for (String table : List.of("checked", "checked_by_offset")) {
            Feed feed = DATABASE.feed(
                    "table", table,
                    "orders.o", "id",
                    "universal.strategy", table.equals("checked") ? "cursor" : "offset",
                    "filters.body", "equals, text",
                    "counts", "body",
                    "visible", "body <> '$1::text $2::text $3::text $4::text $5::text $6::text $7::text $8::text'");
            assertThat(DATABASE.catalogue()
                            .checkStatements(List.of(feed))
                            .await()
                            .atMost(Duration.ofSeconds(30)))
                    .containsExactly(Optional.empty());
        }
    }

    private static void check(Feed feed) {
        DATABASE.catalogue().checkStatements(List.of(feed)).await().atMost(Duration.ofSeconds(30));
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}

package dev.tidemark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.paging.PageRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns that a page omits. Those of the view fail if they are computed. */
@UsesTestDatabase
class OmittedColumnsTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    @BeforeEach
    void makeTables() {
        DATABASE.run("""
                DROP VIEW IF EXISTS failing_papers;
                DROP TABLE IF EXISTS paper_authors, plain_papers;
                CREATE TABLE plain_papers (id bigint PRIMARY KEY, title text, author bigint);
                INSERT INTO plain_papers SELECT i, 'title', 1 FROM generate_series(1, 3) i;
                CREATE INDEX ON plain_papers (title, id);
                CREATE TABLE paper_authors (id bigint PRIMARY KEY, bio text);
                INSERT INTO paper_authors VALUES (1, 'bio');
                CREATE VIEW failing_papers AS SELECT id, title, (1 / (id - id))::text AS body FROM plain_papers;
                """);
    }

    private static List<String> read(Feed feed, Set<String> omitted) {
        List<String> rows = new ArrayList<>();
        DATABASE.reader()
                .read(
                        new ListState(feed, feed.orders().byDefault(), List.of()),
                        new PageRequest(Optional.empty(), 2).omitting(omitted),
                        row -> rows.add(row.integer(0) + " "
                                + (row.isNull(feed.valueCount() - 1) ? "none" : row.text(feed.valueCount() - 1))))
                .await()
                .atMost(Duration.ofSeconds(60));
        return rows;
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "title"})
    void anOmittedColumnIsNotComputed(String order) {
        Feed feed = DATABASE.feed("table", "failing_papers", "key", "id", "orders.o", order);
        assertThat(read(feed, Set.of("body"))).containsExactly("1 none", "2 none");
        assertThatThrownBy(() -> read(feed, Set.of("title"))).isInstanceOf(ReadFailure.class);
    }

    @Test
    void anOmittedColumnOfTheOrderIsReturnedAnyway() {
        Feed feed = DATABASE.feed("table", "plain_papers", "columns", "id, title", "orders.o", "title");
        assertThat(read(feed, Set.of("title"))).containsExactly("1 title", "2 title");
    }

    @Test
    void theColumnsOfAnOmittedEmbedAreNull() {
        Feed feed = DATABASE.feed(
                "table",
                "plain_papers",
                "columns",
                "id",
                "orders.o",
                "id",
                "embed.writer.table",
                "paper_authors",
                "embed.writer.on.id",
                "author",
                "embed.writer.columns",
                "bio");
        assertThat(read(feed, Set.of())).containsExactly("1 bio", "2 bio");
        assertThat(read(feed, Set.of("writer"))).containsExactly("1 none", "2 none");
    }
}

package dev.tidemark.declare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.declare.DeclarationResolver.ResolvedFeed;
import dev.tidemark.declare.FeedCheck.CheckedFeeds;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.settings.FeedSource;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@UsesTestDatabase
class SchemaDriftTest {

    private static final TestDatabase DATABASE = TestDatabase.get();

    /** The statements of a page depend on where the rows are, and on conditions that PostgreSQL adds. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE drift.ing ENABLE ROW LEVEL SECURITY",
                "ALTER TABLE drift.ing ALTER body TYPE text COLLATE \"POSIX\"",
                "ALTER TABLE drift.ing RENAME TO ed;\nCREATE VIEW drift.ing AS SELECT * FROM drift.ed",
                "DROP TABLE drift.ing;\nCREATE TABLE drift.ing (id int PRIMARY KEY, body text) PARTITION BY RANGE (id)"
            })
    void aFeedIsReadAgainIfPostgresqlReadsItsRowsInAnotherWay(String change) {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS drift CASCADE;
                CREATE SCHEMA drift;
                CREATE TABLE drift.ing (id int PRIMARY KEY, body text, other text)""");
        ResolvedFeed served = feed();
        assertThat(SchemaDrift.compatibleChanges(served, feed())).isEmpty();
        DATABASE.run(change);
        ResolvedFeed current = feed();
        assertThat(SchemaDrift.differences(served.feed(), current.feed())).isEmpty();
        assertThat(SchemaDrift.compatibleChanges(served, current)).hasSize(1);
    }

    @Test
    void aColumnThatAFeedDoesNotUseDoesNotConcernIt() {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS drift CASCADE;
                CREATE SCHEMA drift;
                CREATE TABLE drift.ing (id int PRIMARY KEY, body text, other text)""");
        ResolvedFeed served = feed();
        DATABASE.run("ALTER TABLE drift.ing ALTER other TYPE text COLLATE \"POSIX\"");
        assertThat(SchemaDrift.compatibleChanges(served, feed())).isEmpty();
    }

    private static ResolvedFeed feed() {
        String properties = "{table: drift.ing, key: id, columns: [id, body], orders: {o: id}}";
        CheckedFeeds checked = DeclaredFeeds.newFeedCheck(DATABASE.catalogue())
                .check(List.of(FeedSource.of("feeds", "{drifting: " + properties + "}")))
                .await()
                .atMost(Duration.ofSeconds(30));
        return checked.feeds().get(0).resolved();
    }
}

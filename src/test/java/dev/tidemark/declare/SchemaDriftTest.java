package dev.tidemark.declare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
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
                "ALTER TABLE drift.ing RENAME TO ed;\nCREATE VIEW drift.ing AS SELECT * FROM drift.ed",
                "DROP TABLE drift.ing;\nCREATE TABLE drift.ing (id int PRIMARY KEY) PARTITION BY RANGE (id)"
            })
    void aFeedIsReadAgainIfPostgresqlReadsItsRowsInAnotherWay(String change) {
        DATABASE.run("""
                DROP SCHEMA IF EXISTS drift CASCADE;
                CREATE SCHEMA drift;
                CREATE TABLE drift.ing (id int PRIMARY KEY)""");
        Feed served = feed();
        assertThat(SchemaDrift.compatibleChanges(served, feed())).isEmpty();
        DATABASE.run(change);
        Feed current = feed();
        assertThat(SchemaDrift.differences(served, current)).isEmpty();
        assertThat(SchemaDrift.compatibleChanges(served, current)).hasSize(1);
    }

    private static Feed feed() {
        return DATABASE.feed("table", "drift.ing", "key", "id", "columns", "id", "orders.o", "id");
    }
}

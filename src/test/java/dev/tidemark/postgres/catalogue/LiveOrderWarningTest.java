package dev.tidemark.postgres.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.declare.DeclaredFeeds;
import dev.tidemark.declare.FeedRegistry;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The warning about an order that seems to sort by the time of the last edit, but is not declared live. */
@UsesTestDatabase
class LiveOrderWarningTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final Logger LOGGER = Logger.getLogger(FeedRegistry.class.getName());

    private final Messages messages = new Messages();

    private static final class Messages extends Handler {
        private final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord line) {
            lines.add(String.format(
                    line.getMessage(), line.getParameters() == null ? new Object[0] : line.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @BeforeEach
    void listen() {
        DATABASE.run("""
                DROP TABLE IF EXISTS edits;
                CREATE TABLE edits (id bigint PRIMARY KEY, "updatedAt" timestamptz, seen timestamptz);
                """);
        LOGGER.addHandler(messages);
    }

    @AfterEach
    void stopListening() {
        LOGGER.removeHandler(messages);
    }

    private List<String> warnings(String order, String by, String live) {
        DeclaredFeeds.resolve(
                DATABASE.catalogue(), Map.of("e.table", "edits", "e.orders." + order, by, "e.live-orders", live));
        return messages.lines.stream()
                .filter(line -> line.contains("live-orders"))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"recent, \"updatedAt\" desc", "last_modified, seen desc", "edited, seen", "last_changed, seen desc"})
    void anOrderThatSeemsToSortByLastEditCausesAWarning(String order, String by) {
        assertThat(warnings(order, by, "")).singleElement().asString().contains("Feed e", "order " + order);
    }

    @ParameterizedTest
    @CsvSource({"seen, seen desc", "credited, seen desc", "by_id, id"})
    void anotherOrderCausesNoWarning(String order, String by) {
        assertThat(warnings(order, by, "")).isEmpty();
    }

    @Test
    void aLiveOrderCausesNoWarning() {
        assertThat(warnings("edited", "seen desc", "edited")).isEmpty();
    }
}

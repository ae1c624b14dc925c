package dev.tidemark.postgres.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.KeyTypesTable;
import dev.tidemark.postgres.PgFeedReader;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.postgres.rows.DriverRow;
import dev.tidemark.postgres.rows.StatementRow;
import dev.tidemark.postgres.sql.OrderStatements;
import dev.tidemark.postgres.sql.PageShape;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Values read from PostgreSQL's wire format equal the values that the driver decodes, for all types and their most
 * unusual values.
 */
@UsesTestDatabase
class WireRowTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final FeedReader READER = new PgFeedReader(DATABASE.database());

    private static final PageRequest REQUEST = new PageRequest(Optional.empty(), 100);

    private static final String DISPLAY_TYPES_DDL = """
            DROP TABLE IF EXISTS no_keys;
            CREATE TABLE no_keys (
              id int PRIMARY KEY, doc json, docb jsonb, raw bytea, span interval, label name, spot box, ints int[],
              words text[], docs jsonb[], raws bytea[], days date[], moments timestamptz[], long_text text, last text);
            INSERT INTO no_keys VALUES
              (1, '{"a": "ä\\u00e4"}', '{"b": 1.50, "c": "𝄞"}', '\\x00ff80', '1 day', 'ä', '(1,1),(0,0)', '{{1,2},{3,NULL}}',
               '{"", NULL, "NULL", "a,b", "q\\""}', '{"{\\"a\\": \\"丢\\"}"}', '{"\\\\x00ff"}', '{0044-03-15 BC,infinity}',
               '{2026-01-16 10:00:00.5+00,-infinity}', repeat('long ä ', 20000), 'last'),
              (2, 'null', 'null', '', '0', '', '(0,0),(0,0)', '{}', '{}', '{}', '{}', '{}', '{}', '', ''),
              (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
              (4, '[1, 2]', '[1, 2]', '\\xff', '00:00:01', 'b', '(2,2),(1,1)', '{4}', '{c}', '{1}', '{"\\\\x"}', '{2026-01-16}',
               '{infinity}', 'short', 'end');
            """;

    @Test
    void wireRowsReadEveryKeyTypeAsTheDriverDoes() {
        DATABASE.run(KeyTypesTable.DDL);
        assertWireRowsEqualDriverRows("shapes", 100);
    }

    @Test
    void wireRowsReadEveryDisplayTypeAsTheDriverDoes() {
        DATABASE.run(DISPLAY_TYPES_DDL);
        assertWireRowsEqualDriverRows("no_keys", 4);
    }

    private static void assertWireRowsEqualDriverRows(String table, int rows) {
        Feed feed = DATABASE.feed("table", table, "orders.o", "id");
        ListState list = new ListState(feed, feed.orders().byDefault(), List.of());
        List<List<String>> decoded = decodedByTheDriver(list).subList(0, rows);
        Context loop = DATABASE.vertx().getOrCreateContext();
        // Over a pool, and over a pinned connection once it is open.
        assertThat(read(list, Runnable::run)).isEqualTo(decoded);
        assertThat(read(list, task -> loop.runOnContext(now -> task.run()))).isEqualTo(decoded);
    }

    /** Returns the rows of the page, and the one after it if there is one. */
    private static List<List<String>> decodedByTheDriver(ListState list) {
        String sql = new OrderStatements(list.feed(), list.order())
                .page(PageShape.of(list, REQUEST))
                .sql();
        List<List<String>> rows = new ArrayList<>();
        DATABASE.pool()
                .preparedQuery(sql)
                .execute()
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .forEach(row -> rows.add(values(new DriverRow(row), list.feed().columns())));
        return rows;
    }

    private static List<List<String>> read(ListState list, Executor executor) {
        Feed feed = list.feed();
        List<List<String>> rows = new ArrayList<>();
        RowSink sink = row -> {
            assertThat(row).isInstanceOf(WireRow.class);
            rows.add(values((StatementRow) row, feed.columns()));
            assertThat(values(((StatementRow) row).copy(column -> true), feed.columns()))
                    .isEqualTo(rows.get(rows.size() - 1));
        };
        Uni.createFrom()
                .deferred(() -> READER.read(list, REQUEST, sink))
                .runSubscriptionOn(executor)
                .await()
                .atMost(Duration.ofSeconds(60));
        return rows;
    }

    private static List<String> values(StatementRow row, List<Column> columns) {
        List<String> values = new ArrayList<>();
        IntStream.range(0, columns.size()).forEach(i -> values.add(value(row, i, columns.get(i))));
        return values;
    }

    private static String value(StatementRow row, int index, Column column) {
        if (row.isNull(index)) {
            return null;
        }
        return switch (column.type() instanceof Scalar scalar ? scalar : Scalar.OTHER) {
            case SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, BOOLEAN, UUID, DATE, TIMESTAMP, TIMESTAMPTZ ->
                row.positionText(index, column);
            case BYTEA -> HexFormat.of().formatHex(row.bytes(index));
            case NUMERIC, TEXT, TIME, JSON, OTHER -> text(row, index);
        };
    }

    private static String text(StatementRow row, int index) {
        StringBuilder written = new StringBuilder();
        row.writeUtf8(
                index,
                written,
                (text, bytes, start, length) -> text.append(new String(bytes, start, length, StandardCharsets.UTF_8)));
        assertThat(written).hasToString(row.text(index));
        return written.toString();
    }
}

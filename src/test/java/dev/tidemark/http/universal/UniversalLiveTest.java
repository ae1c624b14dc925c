package dev.tidemark.http.universal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.universal.UniversalClient.Page;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares the strategies while other clients write. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class UniversalLiveTest {

    private static final List<String> ORIGINAL_IDS =
            LongStream.rangeClosed(1, 100).mapToObj(i -> Long.toString(101 - i)).toList();

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    @BeforeEach
    void fill() {
        run("truncate shoals");
        run("insert into shoals select i, '2026-01-01T00:00:00Z' from generate_series(1, 100) as i");
    }

    @Test
    void cursorsNeitherRepeatNorMissRowsWhileOthersAreInserted() {
        assertThat(scroll("shoals", this::insertRows)).isEqualTo(ORIGINAL_IDS);
    }

    @Test
    void cursorsMissNoRowsWhileOthersAreDeleted() {
        assertThat(scroll("shoals", this::deleteNewestRows))
                .doesNotHaveDuplicates()
                .containsAll(remainingIds());
    }

    /** With offsets, three inserted rows push three rows that were already shown onto the next page. */
    @Test
    void offsetsRepeatRowsWhileOthersAreInserted() {
        List<String> shown = scroll("shoals-by-offset", this::insertRows);
        assertThat(shown).containsAll(ORIGINAL_IDS).hasSizeGreaterThan(100);
        assertThat(shown.subList(0, 14))
                .containsExactly("100", "99", "98", "97", "96", "95", "94", "96", "95", "94", "93", "92", "91", "90");
    }

    /** With offsets, three deleted rows pull three rows that were not yet shown onto the previous page. */
    @Test
    void offsetsMissRowsWhileOthersAreDeleted() {
        List<String> shown = scroll("shoals-by-offset", this::deleteNewestRows);
        assertThat(shown).doesNotHaveDuplicates();
        assertThat(remainingIds()).hasSizeGreaterThan(20).anyMatch(id -> !shown.contains(id));
        assertThat(shown.subList(0, 8)).endsWith("94", "90");
    }

    private List<String> scroll(String feed, Runnable betweenPages) {
        UniversalClient client =
                new UniversalClient(TestServer.url("/v3/" + feed + '?').toString(), 7);
        List<JsonNode> rows = new ArrayList<>();
        Page page = client.first();
        rows.addAll(page.rows());
        for (Optional<String> next = page.next(); next.isPresent(); next = page.next()) {
            betweenPages.run();
            page = client.after(next.get());
            rows.addAll(page.rows());
        }
        return rows.stream().map(row -> row.get("id").asText()).toList();
    }

    private void insertRows() {
        run("insert into shoals select (select max(id) from shoals) + i, '2026-01-01T00:00:00Z'"
                + " from generate_series(1, 3) as i");
    }

    private void deleteNewestRows() {
        run("delete from shoals where id in (select id from shoals order by id desc limit 3)");
    }

    private List<String> remainingIds() {
        List<String> ids = new ArrayList<>();
        pool.query("select id::text from shoals order by shoals.id desc")
                .executeAndAwait()
                .forEach(row -> ids.add(row.getString(0)));
        return ids;
    }

    private void run(String sql) {
        pool.query(sql).executeAndAwait();
    }
}

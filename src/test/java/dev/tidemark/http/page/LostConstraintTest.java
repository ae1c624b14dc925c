package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.local.TestPostgres;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Order keys that lose their NOT NULL constraint, and get NULLs, while a client scrolls. Nobody asks for readiness
 * meanwhile.
 */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Tag("every-postgres")
class LostConstraintTest {

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    private void run(String sql) {
        pool.query(sql).executeAndAwait();
    }

    @BeforeEach
    void addTides() {
        assumeTrue(TestPostgres.majorVersion() >= 17, "earlier versions do not remove IS NULL from a plan");
        run("delete from tides");
        run("""
                insert into tides select i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 minute'
                from generate_series(1, 60) as i""");
    }

    @AfterEach
    void restore() {
        run("delete from tides");
        run("alter table tides alter at set not null");
    }

    private void addNulls() {
        run("alter table tides alter at drop not null");
        run("insert into tides select i, null from generate_series(61, 69) as i");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/tides?order=oldest", "/api/tides?order=newest"})
    void noRowIsMissedWhenTheOrderKeyHasJustBecomeNullable(String list) {
        addNulls();
        assertThat(forward(list)).containsExactlyInAnyOrderElementsOf(upTo(69));
    }

    @Test
    void noRowIsMissedByAClientThatScrollsForwardMeanwhile() {
        JsonDocument page = Pages.read("/api/tides?order=oldest&limit=20");
        addNulls();
        assertThat(forward("/api/tides?order=oldest&cursor=" + page.getString("next_cursor")))
                .hasSize(49)
                .containsAll(upTo(69).subList(60, 69));
    }

    @Test
    void noRowIsMissedByAClientThatScrollsBackMeanwhile() {
        JsonDocument page = Pages.read("/api/tides?order=newest&limit=40");
        addNulls();
        page = Pages.read("/api/tides?order=newest&limit=40&cursor=" + page.getString("next_cursor"));
        List<String> ids = new ArrayList<>(page.getList("items.id"));
        while (page.getBoolean("has_prev")) {
            page = Pages.read("/api/tides?order=newest&limit=20&cursor=" + page.getString("prev_cursor"));
            ids.addAll(page.getList("items.id"));
        }
        assertThat(ids).containsExactlyInAnyOrderElementsOf(upTo(69));
    }

    @Test
    void aConstraintThatReturnsNotValidIsNone() {
        assumeTrue(TestPostgres.majorVersion() >= 18, "earlier versions validate each NOT NULL constraint");
        addNulls();
        run("alter table tides add constraint later not null at not valid");
        assertThat(forward("/api/tides?order=oldest")).containsExactlyInAnyOrderElementsOf(upTo(69));
    }

    private static List<String> forward(String list) {
        JsonDocument page = Pages.read(list + "&limit=20");
        List<String> ids = new ArrayList<>(page.getList("items.id"));
        while (page.getBoolean("has_more")) {
            page = Pages.read(
                    list.replaceFirst("&cursor=.*", "") + "&limit=20&cursor=" + page.getString("next_cursor"));
            ids.addAll(page.getList("items.id"));
        }
        return ids;
    }

    private static List<String> upTo(int last) {
        return IntStream.rangeClosed(1, last).mapToObj(Integer::toString).toList();
    }
}

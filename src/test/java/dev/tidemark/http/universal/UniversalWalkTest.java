package dev.tidemark.http.universal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.Soak;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.http.universal.UniversalClient.Page;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A client walks lists with both strategies while nothing changes. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class UniversalWalkTest {

    @Inject
    Pool pool;

    /** For each list: the feed, the parameters, the key, and the same list in SQL. */
    static Stream<Arguments> lists() {
        Stream<Arguments> both = Stream.of(
                        Arguments.of("letters", "", "id", "letters ORDER BY sent_at DESC, id DESC"),
                        Arguments.of("letters", "order=oldest&", "id", "letters ORDER BY sent_at, id"),
                        Arguments.of(
                                "letters",
                                "status=sad&status=very%20happy&urgent.is=notnull&",
                                "id",
                                "letters WHERE status <> 'ok' AND urgent IS NOT NULL ORDER BY sent_at DESC, id DESC"),
                        Arguments.of(
                                "letters", "id=4711&", "id", "letters WHERE id = 4711 ORDER BY sent_at DESC, id DESC"),
                        Arguments.of("notes", "", "id", "notes ORDER BY at DESC, id DESC"),
                        Arguments.of(
                                "notes", "kind=rare&", "id", "notes WHERE kind = 'rare' ORDER BY at DESC, id DESC"),
                        Arguments.of("specimens", "", "id", "specimens ORDER BY id"),
                        Arguments.of("boats", "", "id", "boats ORDER BY wind, id"),
                        Arguments.of("oddities", "", "id", "oddities ORDER BY id"),
                        Arguments.of("twins", "", "b", "twins ORDER BY a, b"),
                        Arguments.of("tides", "", "id", "tides ORDER BY at DESC, id DESC"))
                .flatMap(list -> Stream.of("", "-by-offset")
                        .map(strategy ->
                                Arguments.of(list.get()[0] + strategy, list.get()[1], list.get()[2], list.get()[3])));
        return Stream.concat(
                both,
                Stream.of(
                        Arguments.of("ranking", "", "player", "ranking ORDER BY place, player"),
                        Arguments.of(
                                "ranking", "points=1&", "player", "ranking WHERE points = 1 ORDER BY place, player")));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("lists")
    void aWalkForwardAndBackShowsEveryRowOnce(String feed, String parameters, String key, String list) {
        List<String> expected = expectedKeys("SELECT " + key + "::text AS row FROM " + list);
        for (int limit : Soak.pageSizes(feed + parameters)) {
            UniversalClient client = new UniversalClient(
                    TestServer.url("/v3/" + feed + '?' + parameters).toString(), limit);
            List<Page> forward = client.pagesFrom(client.first());
            assertThat(keys(UniversalClient.rows(forward), key))
                    .as("forward by %d", limit)
                    .isEqualTo(expected);
            assertThat(forward.get(0).previous()).isEmpty();
            forward.stream().skip(1).forEach(page -> assertThat(page.previous()).isPresent());
            Page last = forward.get(forward.size() - 1);
            assertThat(keys(UniversalClient.rows(client.pagesUpTo(last)), key))
                    .as("back by %d", limit)
                    .isEqualTo(expected);
            last.last().ifPresent(end -> assertEmptyPageLeadsBack(client, end, key, expected));
            assertTokensOfRowsLeadBothWays(client, forward, key, expected);
        }
    }

    /** After the last row there is an empty page, which leads back to that row. */
    private static void assertEmptyPageLeadsBack(
            UniversalClient client, String end, String key, List<String> expected) {
        Page empty = client.after(end);
        assertThat(empty.rows()).isEmpty();
        assertThat(empty.next()).isEmpty();
        assertThat(keys(UniversalClient.rows(client.pagesUpTo(empty)), key)).isEqualTo(expected);
    }

    private static void assertTokensOfRowsLeadBothWays(
            UniversalClient client, List<Page> pages, String key, List<String> expected) {
        int at = 0;
        for (Page page : pages) {
            int end = at + page.rows().size();
            if (end > at) {
                List<String> afterTop =
                        keys(client.after(page.top().orElseThrow()).rows(), key);
                assertThat(afterTop).isEqualTo(expected.subList(at + 1, at + 1 + afterTop.size()));
                List<String> beforeLast =
                        keys(client.before(page.last().orElseThrow()).rows(), key);
                assertThat(beforeLast).isEqualTo(expected.subList(end - 1 - beforeLast.size(), end - 1));
            }
            at = end;
        }
    }

    private static List<String> keys(List<JsonNode> rows, String key) {
        return rows.stream().map(row -> row.get(key).asText()).toList();
    }

    private List<String> expectedKeys(String sql) {
        return StreamSupport.stream(pool.query(sql).executeAndAwait().spliterator(), false)
                .map(row -> row.getString(0))
                .toList();
    }
}

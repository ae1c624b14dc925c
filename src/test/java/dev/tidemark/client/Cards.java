package dev.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.http.TestServer;
import dev.tidemark.local.TestPostgres;
import io.vertx.mutiny.sqlclient.Pool;
import java.util.List;

/** The table of the feed {@code cards}, which has delta. */
final class Cards {

    private static final ObjectMapper JACKSON = new ObjectMapper();

    private final Pool pool;

    Cards(Pool pool) {
        this.pool = pool;
    }

    static FeedList<JsonNode> of(TidemarkClient client) {
        return client.feed("cards", JACKSON::readTree);
    }

    /** @param requests receives the path and query of each request */
    static FeedList<JsonNode> ofServer(List<String> requests) {
        return of(TidemarkClient.of(TestServer.url("")).onRequest(request -> {
            var uri = request.copy().build().uri();
            requests.add(uri.getPath() + "?" + uri.getQuery());
        }));
    }

    static String key(JsonNode card) {
        return card.get("id").asText();
    }

    static List<Integer> ids(List<JsonNode> cards) {
        return cards.stream().map(card -> card.get("id").asInt()).toList();
    }

    /** Replaces all cards by those from 1 to {@code count}, each a minute newer than the one before. */
    void reset(int count) {
        pool.query("truncate cards").executeAndAwait();
        insert(1, count);
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
    }

    void insert(int first, int last) {
        write("insert into cards select i, '2026-01-01'::timestamptz + i * interval '1 minute',"
                + " '2026-01-01'::timestamptz + i * interval '1 minute', 'card', 'old' from generate_series("
                + first + ", " + last + ") i");
    }

    /** Executes a statement, and notifies the server. */
    void write(String sql) {
        pool.query(sql).executeAndAwait();
        pool.query("select pg_notify('tidemark', 'public.cards')").executeAndAwait();
    }
}

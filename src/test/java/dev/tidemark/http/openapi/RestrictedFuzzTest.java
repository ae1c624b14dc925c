package dev.tidemark.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.Seed;
import dev.tidemark.Soak;
import dev.tidemark.http.ApiDescription;
import dev.tidemark.http.ApiDescription.Operation;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestTokens;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Random requests of two tenants to restricted feeds. No response may contain rows of the other tenant. */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class RestrictedFuzzTest {

    private static final int REQUESTS = Soak.times(1_000);
    private static final Pattern FEEDS =
            Pattern.compile("/(api|v3)/(tickets|tickets-by-offset|flags|memos)(/fresh|/counts|/live)?");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Tokens are valid for five minutes and are replaced after this many requests. */
    private static final int REQUESTS_PER_TOKEN = 250;

    @Test
    void noResponseShowsRowsOfAnotherTenant() throws Exception {
        List<Operation> operations = ApiDescription.fetchOperations().stream()
                .filter(operation -> FEEDS.matcher(operation.path()).matches())
                .toList();
        assertThat(operations).isNotEmpty();
        Fuzzer fuzzer = new Fuzzer(Seed.next());
        for (int i = 0; i < REQUESTS / REQUESTS_PER_TOKEN; i++) {
            long tenant = 1L + i % 2;
            fuzzer.run(
                    REQUESTS_PER_TOKEN,
                    operations,
                    TestTokens.ofTenant(tenant),
                    (request, answer) -> checkTenant(answer, tenant));
        }
        System.out.println("Fuzzed: " + fuzzer.statuses());
        assertThat(fuzzer.statuses()).containsKeys(200, 400, 401, 403);
    }

    private static void checkTenant(RawResponse answer, long tenant) throws IOException {
        String json = answer.body().substring(Math.max(0, answer.body().indexOf("{")));
        if (answer.status() == 200 && json.startsWith("{")) {
            JsonNode body = JSON.readTree(json);
            JsonNode rows =
                    body.has("items") ? body.get("items") : body.path("result").path("rows");
            rows.forEach(row -> {
                if (row.has("id")) {
                    assertThat(1 + row.get("id").asLong() % 2).isEqualTo(tenant);
                }
            });
        }
    }
}

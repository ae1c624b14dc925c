package dev.tidemark.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Seed;
import dev.tidemark.Soak;
import dev.tidemark.http.ApiDescription;
import dev.tidemark.http.ApiDescription.Operation;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Sends 4,000 random requests that are made from the OpenAPI document; more with a {@code soak.factor}. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class FuzzTest {

    private static final int REQUESTS = Soak.times(4_000);

    /** A part of the names of feeds whose pages time out after a second. */
    private static final String SLOW = "snails";

    @Test
    void everyResponseToARandomRequestFollowsTheContract() throws Exception {
        List<Operation> operations = ApiDescription.fetchOperations().stream()
                .filter(operation -> !operation.path().contains(SLOW))
                .toList();
        Fuzzer fuzzer = new Fuzzer(Seed.next());
        Map<String, Set<String>> statuses =
                operations.stream().collect(Collectors.toMap(Operation::path, Operation::statuses));
        fuzzer.run(REQUESTS, operations, (request, answer) -> {
            String path = request.target().split("\\?")[0];
            if (request.method().equals("GET") && statuses.containsKey(path)) {
                assertThat(statuses.get(path)).contains(Integer.toString(answer.status()));
            }
        });
        System.out.println("Fuzzed: " + fuzzer.statuses());
        assertThat(fuzzer.statuses().get(200)).as("pages among the answers").isGreaterThan(REQUESTS / 20);
        assertThat(fuzzer.statuses()).containsKeys(304, 400, 404, 405);
    }
}

package dev.tidemark.http.page;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.Metrics;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** With everything switched off that only makes it faster, to compare. */
@QuarkusTest
@TestProfile(PlainPathTest.Plain.class)
@QuarkusTestResource(value = TestFeedsResource.class, restrictToAnnotatedClass = true)
class PlainPathTest {

    public static class Plain implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("tidemark.pipelined", "false", "tidemark.single-flight", "false");
        }
    }

    @Test
    void pagesAreServedWithThePoolAlone() {
        double before = Metrics.value("tidemark_statements_seconds_count{connections=\"indexed\"}");
        for (int i = 0; i < 20; i++) {
            assertThat(get("/api/letters?limit=5").jsonPath().getList("items")).hasSize(5);
        }
        assertThat(Metrics.value("tidemark_statements_seconds_count{connections=\"indexed\"}"))
                .isEqualTo(before + 20);
        assertThat(Metrics.value("tidemark_pinned_open")).isZero();
        assertThat(Metrics.value("tidemark_pages_joined_total")).isZero();
    }
}

package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.FeedServer;
import dev.tidemark.http.Wire;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(FeedServer.class)
class RefusedJsonTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json;q=0",
                "application/json; q=0.000",
                "Application/JSON;charset=utf-8;Q=0",
                "*/*;q=0",
                "application/*;q=0, text/html",
                "text/html, */*;q=0",
                "application/json;q=0, */*"
            })
    void a_weight_of_zero_refuses(String accept) {
        assertThat(Wire.get("/api/letters", "Accept", accept).statusCode()).isEqualTo(406);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json;q=0.01",
                "*/*;q=0, application/json",
                "application/json, */*;q=0",
                "text/html;q=0, */*",
                "*/*"
            })
    void json_is_sent_where_the_most_specific_range_accepts_it(String accept) {
        assertThat(Wire.get("/api/letters", "Accept", accept).statusCode()).isEqualTo(200);
    }
}

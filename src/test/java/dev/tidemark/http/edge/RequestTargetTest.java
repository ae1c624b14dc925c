package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.FeedServer;
import dev.tidemark.http.RawRequest;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(FeedServer.class)
class RequestTargetTest {

    @Test
    void what_follows_a_raw_number_sign_is_not_silently_ignored() {
        assertThat(RawRequest.get("/api/letters?limit=2#&statsu=ok").status()).isEqualTo(400);
        assertThat(RawRequest.get("/api/letters?subject.prefix=#42").status()).isEqualTo(400);
    }

    @Test
    void path_parameters_are_not_silently_ignored() {
        assertThat(RawRequest.get("/api/letters;limit=2").status()).isIn(400, 404);
    }

    @Test
    void a_parameter_without_a_name_is_not_silently_ignored() {
        assertThat(RawRequest.get("/api/letters?=limit=2").status()).isEqualTo(400);
        assertThat(RawRequest.get("/api/letters?=").status()).isEqualTo(400);
    }
}

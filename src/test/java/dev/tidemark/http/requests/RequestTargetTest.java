package dev.tidemark.http.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RawRequest;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class RequestTargetTest {

    @Test
    void aRawNumberSignIsNotSilentlyIgnored() {
        assertThat(RawRequest.get("/api/letters?limit=2#&statsu=ok").status()).isEqualTo(400);
        assertThat(RawRequest.get("/api/letters?subject.prefix=#42").status()).isEqualTo(400);
    }

    @Test
    void pathParametersAreNotSilentlyIgnored() {
        assertThat(RawRequest.get("/api/letters;limit=2").status()).isIn(400, 404);
    }

    @Test
    void aParameterWithoutANameIsNotSilentlyIgnored() {
        assertThat(RawRequest.get("/api/letters?=limit=2").status()).isEqualTo(400);
        assertThat(RawRequest.get("/api/letters?=").status()).isEqualTo(400);
    }
}

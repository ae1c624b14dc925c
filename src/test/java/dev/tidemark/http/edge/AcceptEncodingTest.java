package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptEncodingTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gzip",
                "GZIP",
                "x-gzip",
                "gzip, deflate, br, zstd",
                "br;q=1.0, gzip;q=0.8, *;q=0.1",
                "*",
                "identity;q=0, *;q=0.5",
                "gzip ; q=0.001",
                "gzip;Q=1",
                "identity;q=0.5, gzip;q=0.5",
                ",,gzip"
            })
    void gzip_is_sent_to_whom_it_is_welcome(String field) {
        assertThat(AcceptEncoding.isGzip(List.of(field))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "identity",
                "deflate, br",
                "gzip;q=0",
                "gzip;q=0.000",
                "gzip;q=0, *",
                "*;q=0",
                "identity, gzip;q=0.5",
                "gzip;q=much",
                "gzip;q",
                "gzip;level=1",
                "gzipped"
            })
    void gzip_is_not_sent_to_anybody_else(String field) {
        assertThat(AcceptEncoding.isGzip(List.of(field))).isFalse();
    }

    @Test
    void several_headers_are_one_list() {
        assertThat(AcceptEncoding.isGzip(List.of("br", "gzip"))).isTrue();
        assertThat(AcceptEncoding.isGzip(List.of())).isFalse();
    }
}

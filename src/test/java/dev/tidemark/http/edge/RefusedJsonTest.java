package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertThat(RefusedJson.isIn(List.of(accept))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";",
                ",",
                "application/json",
                "application/json;q=0.001",
                "*/*;q=0, application/json",
                "application/json, */*;q=0",
                "text/html;q=0, */*",
                "*/*",
                "text/event-stream, */*;q=0"
            })
    void what_takes_json_and_what_does_not_speak_of_it_does_not_refuse_it(String accept) {
        assertThat(RefusedJson.isIn(List.of(accept))).isFalse();
    }

    @Test
    void a_header_may_come_in_lines_or_not_at_all() {
        assertThat(RefusedJson.isIn(List.of("application/json;q=0", "*/*"))).isTrue();
        assertThat(RefusedJson.isIn(List.of())).isFalse();
    }
}

package dev.tidemark.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ProblemCodeTest {

    @Test
    void codesAndNumbersAreStable() {
        String catalogue = Arrays.stream(ProblemCode.values())
                .map(code -> code.wireName() + ' ' + code.status() + ' ' + code.number())
                .collect(Collectors.joining("\n"));
        assertThat(catalogue).isEqualTo("""
                        invalid_limit 400 1001
                        invalid_cursor 400 1002
                        cursor_mismatch 400 1003
                        cursor_expired 410 1004
                        conflicting_parameters 400 1005
                        unknown_parameter 400 1006
                        unknown_order 400 1007
                        invalid_filter 400 1008
                        invalid_fields 400 1009
                        not_supported 400 1010
                        missing_parameter 400 1011
                        invalid_anchor 400 1012
                        malformed_request 400 1013
                        invalid_moment 400 1014
                        unauthorized 401 2001
                        forbidden 403 2002
                        unknown_feed 404 3001
                        anchor_not_found 404 3002
                        not_found 404 3003
                        method_not_allowed 405 3004
                        not_acceptable 406 3005
                        uri_too_long 414 3006
                        content_too_large 413 3007
                        unsupported_media_type 415 3008
                        headers_too_large 431 3009
                        overloaded 503 4001
                        unavailable 503 4002
                        timeout 504 4003
                        feed_unavailable 503 4004
                        internal 500 5001""");
    }

    @Test
    void theGuideListsEveryCodeWithItsStatusAndNumber() throws IOException {
        assertThat(Files.readString(Path.of("src/site/markdown/problems.md")))
                .contains(Arrays.stream(ProblemCode.values())
                        .map(code -> "\n| `" + code.wireName() + "` | " + code.status() + " | " + code.number() + " |")
                        .toList());
    }

    @Test
    void titlesAreUnique() {
        assertThat(ProblemCode.values()).extracting(ProblemCode::title).doesNotHaveDuplicates();
    }

    @Test
    void theTypeIsAUriWithTheCode() {
        assertThat(ProblemCode.INVALID_LIMIT.type()).isEqualTo("urn:tidemark:problem:invalid_limit");
    }
}

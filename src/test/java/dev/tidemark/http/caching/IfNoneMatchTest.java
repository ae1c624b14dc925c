package dev.tidemark.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IfNoneMatchTest {

    private static final WeakTag TAG = new WeakTag("tag");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "W/\"tag\"",
                "\"tag\"",
                "*",
                " * ",
                "\"other\", W/\"tag\"",
                "W/\"tag\",\"other\"",
                "\"a,b\",\"tag\"",
                ", ,\t\"tag\" ,,",
                "\"\",\"tag\"",
                "\"tag\"\t,\"\u00e4\""
            })
    void a_tag_matches_by_weak_comparison_anywhere_in_a_list(String field) {
        assertThat(IfNoneMatch.matches(List.of(field), TAG)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", ",", "\"other\"", "W/\"other\"", "\"ta\"", "\"tags\"", "\"Tag\"", "\"W/tag\"", "\"*\""})
    void another_tag_does_not(String field) {
        assertThat(IfNoneMatch.matches(List.of(field), TAG)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tag",
                "\"tag",
                "tag\"",
                "W/tag",
                "w/\"tag\"",
                "W/ \"tag\"",
                "W/",
                "\"tag\" \"tag\"",
                "\"tag\"\"tag\"",
                "\"tag\", other",
                "other, \"tag\"",
                "\"tag\", *",
                "*, \"tag\"",
                "**",
                "\"tag\", \"a b\"",
                "'tag'"
            })
    void a_field_of_wrong_syntax_is_as_good_as_none(String field) {
        assertThat(IfNoneMatch.matches(List.of(field), TAG)).isFalse();
    }

    @Test
    void several_headers_are_one_list() {
        assertThat(IfNoneMatch.matches(List.of("\"other\"", "\"tag\""), TAG)).isTrue();
        assertThat(IfNoneMatch.matches(List.of("\"tag\"", "wrong"), TAG)).isFalse();
        assertThat(IfNoneMatch.matches(List.of(), TAG)).isFalse();
    }
}

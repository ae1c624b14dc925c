package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class LinksTest {

    private static final String PATH = "/api/messages";
    private static final PageFacts MIDDLE =
            new PageFacts(Optional.of("TOP"), Optional.of("LAST"), true, true, 30, Optional.empty());

    @Test
    void a_page_in_the_middle_has_a_next_one_one_before_and_a_first() {
        assertThat(new Links(PATH, "cursor=C").header(MIDDLE))
                .isEqualTo("</api/messages?cursor=LAST>; rel=\"next\", </api/messages?cursor=TOP>; rel=\"prev\","
                        + " </api/messages>; rel=\"first\"");
    }

    @Test
    void there_is_no_link_to_where_nothing_is() {
        PageFacts alone = new PageFacts(Optional.of("TOP"), Optional.of("LAST"), false, false, 30, Optional.empty());
        assertThat(new Links(PATH, null).header(alone)).isEqualTo("</api/messages>; rel=\"first\"");
    }

    @Test
    void order_filters_limit_and_fields_stay_as_they_were_written() {
        assertThat(next("status=open&status=a%26b&limit=2&cursor=C&order=oldest&fields=id,subject"))
                .isEqualTo("/api/messages?status=open&status=a%26b&limit=2&order=oldest&fields=id,subject&cursor=LAST");
    }

    @Test
    void jumps_are_dropped_and_the_end_of_the_walk_from_the_way_back() {
        String query = "around=2026-01-16T10:00:00Z&from=1&from_id=2&around_id=3&until=U&limit=2";
        assertThat(new Links(PATH, query).header(MIDDLE))
                .isEqualTo("</api/messages?until=U&limit=2&cursor=LAST>; rel=\"next\","
                        + " </api/messages?limit=2&cursor=TOP>; rel=\"prev\","
                        + " </api/messages?until=U&limit=2>; rel=\"first\"");
    }

    @Test
    void a_name_counts_as_it_is_decoded() {
        assertThat(next("%63ursor=C&limit=2")).isEqualTo("/api/messages?limit=2&cursor=LAST");
        assertThat(next("cursor&&limit=2&")).isEqualTo("/api/messages?limit=2&cursor=LAST");
        assertThat(next("subject.prefix=cursor=1")).isEqualTo("/api/messages?subject.prefix=cursor=1&cursor=LAST");
    }

    @Test
    void what_would_end_a_link_is_escaped() {
        assertThat(next("subject.prefix=>;\"<{")).isEqualTo("/api/messages?subject.prefix=%3e;%22%3c%7b&cursor=LAST");
    }

    @Test
    void no_link_is_too_long_to_be_told() {
        assertThat(new Links(PATH, "subject.prefix=" + "x".repeat(15_000)).header(MIDDLE))
                .contains("rel=\"next\"", "rel=\"prev\"", "rel=\"first\"");
    }

    private static String next(String query) {
        String header = new Links(PATH, query).header(MIDDLE);
        return header.substring(1, header.indexOf('>'));
    }
}

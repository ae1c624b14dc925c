package dev.tidemark.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {

    @Test
    void the_nearest_name_takes_the_fewest_changes() {
        assertThat(NearestName.of("statsu", List.of("limit", "status", "subject")))
                .isEqualTo("status");
        assertThat(NearestName.of("created.gte", List.of("created_at.gt", "created_at.gte")))
                .isEqualTo("created_at.gte");
    }

    @Test
    void a_distance_counts_inserted_removed_and_replaced_characters() {
        assertThat(NearestName.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(NearestName.distance("", "abc")).isEqualTo(3);
        assertThat(NearestName.distance("abc", "")).isEqualTo(3);
        assertThat(NearestName.distance("abc", "abc")).isZero();
    }

    @Test
    void a_name_of_any_length_is_compared_without_much_work() {
        assertThat(NearestName.of("x".repeat(16_000), List.of("limit"))).isEqualTo("limit");
    }
}

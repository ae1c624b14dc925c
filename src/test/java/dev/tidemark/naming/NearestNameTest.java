package dev.tidemark.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {

    @Test
    void theNearestNameNeedsTheFewestChanges() {
        assertThat(NearestName.find("statsu", List.of("limit", "status", "subject")))
                .isEqualTo("status");
        assertThat(NearestName.find("created.gte", List.of("created_at.gt", "created_at.gte")))
                .isEqualTo("created_at.gte");
    }

    @Test
    void onlyASimilarNameIsSuggested() {
        List<String> names = List.of("id", "total", "lent_at", "customer");
        assertThat(NearestName.hint("custmer", names)).isEqualTo("; the nearest name is customer");
        assertThat(NearestName.hint("lent", names)).isEqualTo("; the nearest name is lent_at");
        assertThat(NearestName.hint("color", names)).isEmpty();
        assertThat(NearestName.hint("x".repeat(16_000), names)).isEmpty();
        assertThat(NearestName.hint("color", List.of())).isEmpty();
    }

    @Test
    void theDistanceCountsInsertedRemovedAndReplacedCharacters() {
        assertThat(NearestName.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(NearestName.distance("", "abc")).isEqualTo(3);
        assertThat(NearestName.distance("abc", "")).isEqualTo(3);
        assertThat(NearestName.distance("abc", "abc")).isZero();
    }

    @Test
    void aVeryLongNameHasANearestName() {
        assertThat(NearestName.find("x".repeat(16_000), List.of("limit"))).isEqualTo("limit");
    }
}

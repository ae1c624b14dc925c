package dev.tidemark.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ListStateTest {

    private static final Feed SCOPED = scoped(SampleFeeds.messages());
    private static final Condition HIS = new Condition.Scoped(SampleFeeds.PRIORITY, "1");
    private static final Condition HERS = new Condition.Scoped(SampleFeeds.PRIORITY, "2");

    private static Feed scoped(Feed feed) {
        return new Feed(
                feed.name(),
                feed.relation(),
                feed.columns(),
                feed.orders(),
                feed.filters(),
                feed.policy(),
                new Access(Set.of(), List.of(new Access.Scope(SampleFeeds.PRIORITY, "priority"))));
    }

    @Test
    void everyListOfAScopedFeedHasAScope() {
        assertThatThrownBy(() -> SampleFeeds.listed(SCOPED, "newest")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        SampleFeeds.listed(SCOPED, "newest", new Condition.AnyOf(SampleFeeds.PRIORITY, List.of("1"))))
                .as("a filter is no scope")
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(SampleFeeds.listed(SCOPED, "newest", HIS).conditions()).containsExactly(HIS);
    }

    @Test
    void listsOfDifferentScopesDifferForEveryFilter() {
        Condition one = new Condition.AnyOf(SampleFeeds.PRIORITY, List.of("1"));
        Condition two = new Condition.AnyOf(SampleFeeds.PRIORITY, List.of("2"));
        assertThat(SampleFeeds.listed(SCOPED, "newest", HIS)).isNotEqualTo(SampleFeeds.listed(SCOPED, "newest", HERS));
        assertThat(SampleFeeds.listed(SCOPED, "newest", HIS, two))
                .isNotEqualTo(SampleFeeds.listed(SCOPED, "newest", HERS, one));
    }

    @Test
    void theTextFormOfAListHidesItsScope() {
        assertThat(SampleFeeds.listed(SCOPED, "newest", new Condition.Scoped(SampleFeeds.PRIORITY, "4711")))
                .asString()
                .doesNotContain("4711");
    }
}

package dev.tidemark.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ListStateTest {

    private static final Feed SCOPED_FEED = withScope(SampleFeeds.messages());
    private static final Condition FIRST_SCOPE = new Condition.InScope(SampleFeeds.PRIORITY, "1");
    private static final Condition SECOND_SCOPE = new Condition.InScope(SampleFeeds.PRIORITY, "2");

    private static Feed withScope(Feed feed) {
        return new Feed(
                feed.name(),
                feed.relation(),
                feed.columns(),
                feed.orders(),
                feed.filters(),
                feed.policy(),
                new Access(Set.of(), List.of(new Access.ClaimScope(SampleFeeds.PRIORITY, "priority"))));
    }

    @Test
    void aListOfAScopedFeedRequiresAScope() {
        assertThatThrownBy(() -> SampleFeeds.listState(SCOPED_FEED, "newest"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SampleFeeds.listState(
                        SCOPED_FEED, "newest", new Condition.AnyOf(SampleFeeds.PRIORITY, List.of("1"))))
                .as("a filter is no scope")
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(SampleFeeds.listState(SCOPED_FEED, "newest", FIRST_SCOPE).conditions())
                .containsExactly(FIRST_SCOPE);
    }

    @Test
    void listsOfDifferentScopesDifferWhateverTheirFilters() {
        Condition one = new Condition.AnyOf(SampleFeeds.PRIORITY, List.of("1"));
        Condition two = new Condition.AnyOf(SampleFeeds.PRIORITY, List.of("2"));
        assertThat(SampleFeeds.listState(SCOPED_FEED, "newest", FIRST_SCOPE))
                .isNotEqualTo(SampleFeeds.listState(SCOPED_FEED, "newest", SECOND_SCOPE));
        assertThat(SampleFeeds.listState(SCOPED_FEED, "newest", FIRST_SCOPE, two))
                .isNotEqualTo(SampleFeeds.listState(SCOPED_FEED, "newest", SECOND_SCOPE, one));
    }

    /** In the locale C, Ä has no lower case, and texts with ä do not contain it. */
    @Test
    void aSearchKeepsWordsThatDifferInCase() {
        Condition.Search search = new Condition.Search(List.of(SampleFeeds.STATUS), List.of("ÄS", "bar", "äs", "ÄS"));
        assertThat(search.words()).containsExactly("bar", "ÄS", "äs");
        assertThat(search.definition())
                .isEqualTo(new Condition.Search(List.of(SampleFeeds.STATUS), List.of("Bar", "äs")).definition());
    }

    @Test
    void theTextFormOfAListHidesItsScope() {
        assertThat(SampleFeeds.listState(SCOPED_FEED, "newest", new Condition.InScope(SampleFeeds.PRIORITY, "4711")))
                .asString()
                .doesNotContain("4711");
    }
}

package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.cursor.Sealers;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.json.PageItems;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.Position;
import dev.tidemark.paging.SamplePages;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PageTagTest {

    private static final Moment MOMENT = new Moment("run", 1);
    private static final Moment LATER_MOMENT = new Moment("run", 2);
    private static final Floor FLOOR = new Floor(1, 1, 1);
    private static final Floor LATER_FLOOR = new Floor(1, 1, 2);

    private final Feed feed = SampleFeeds.messagesWithDelta(List.of(SampleFeeds.ID));
    private final String plainTag = tag(true, Optional.empty(), Optional.empty());

    @Test
    void theTagDoesNotCoverTheMoment() {
        assertThat(tag(true, Optional.of(MOMENT), Optional.empty())).isEqualTo(plainTag);
        assertThat(tag(true, Optional.of(LATER_MOMENT), Optional.empty())).isEqualTo(plainTag);
    }

    @Test
    void theTagDoesNotCoverTheFloorOfTheCursors() {
        assertThat(tag(true, Optional.empty(), Optional.of(FLOOR))).isEqualTo(plainTag);
        assertThat(tag(true, Optional.of(MOMENT), Optional.of(LATER_FLOOR))).isEqualTo(plainTag);
    }

    @Test
    void theTagCoversTheOtherMembers() {
        assertThat(tag(false, Optional.empty(), Optional.empty())).isNotEqualTo(plainTag);
        assertThat(tag(false, Optional.empty(), Optional.of(FLOOR))).isNotEqualTo(plainTag);
    }

    /** Callers with different scopes request different lists with the same URL. */
    @Test
    void theTagCoversTheList() {
        assertThat(tag(SampleFeeds.listState(feed, "subject"), true, Optional.empty(), Optional.empty()))
                .isNotEqualTo(plainTag);
    }

    private String tag(boolean hasNext, Optional<Moment> moment, Optional<Floor> floor) {
        return tag(SampleFeeds.listState(feed, "newest"), hasNext, moment, floor);
    }

    /** Returns the tag of an empty page. */
    private String tag(ListState state, boolean hasNext, Optional<Moment> moment, Optional<Floor> floor) {
        Gap gap = Gap.after(Position.of("2026-01-16 10:00:00+00", "1"));
        Page page = SamplePages.of(0, gap, gap, true, hasNext, moment, floor);
        PageWriter writer = new PageWriter(
                PageFormat.API,
                new PageItems(ItemWriter.of(feed), Optional.empty(), Integer.MAX_VALUE),
                Optional.empty(),
                Direction.FORWARD,
                1);
        PageMembers members = PageFormat.API.seal(page, state, 1, Optional.empty(), Sealers.withoutLifetime());
        return writer.finish(
                        members, page.moment().map(read -> Sealers.moments().seal(feed, read)), Sealers.hash())
                .tag();
    }
}

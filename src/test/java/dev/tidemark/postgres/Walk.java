package dev.tidemark.postgres;

import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/** Scrolls through a feed in its default order, page by page, and returns the values of the first column. */
public final class Walk {

    private static final int MAX_ITEMS = 1_000;

    private final FeedReader reader;
    private final ListState state;
    private final int size;

    /** The empty page after the last item, which the latest forward walk has reached. */
    private Optional<PageWithItems> end = Optional.empty();

    public Walk(FeedReader reader, Feed feed, int size, Condition... conditions) {
        this.reader = reader;
        this.state = new ListState(feed, feed.orders().byDefault(), List.of(conditions));
        this.size = size;
    }

    /** A page with its items in the list's order. */
    record PageWithItems(List<String> items, Page page) {}

    ListState state() {
        return state;
    }

    PageWithItems read(Optional<Continuation> from) {
        return read(new PageRequest(from, size));
    }

    PageWithItems read(PageRequest request) {
        List<String> items = new ArrayList<>();
        Page page = reader.read(state, request, row -> items.add(Long.toString(row.integer(0))))
                .await()
                .atMost(Duration.ofSeconds(60));
        if (request.direction() == Direction.BACKWARD) {
            Collections.reverse(items);
        }
        if (page.size() != items.size()) {
            throw new AssertionError("the page reports " + page.size() + " items, but has " + items.size());
        }
        return new PageWithItems(items, page);
    }

    PageWithItems after(Page page) {
        return read(page.nextContinuation());
    }

    PageWithItems before(Page page) {
        return read(page.previousContinuation());
    }

    /** Walks from the start to a gap. */
    List<String> forwardUntil(Gap until) {
        PageWithItems read = read(new PageRequest(Optional.empty(), size, OptionalInt.empty(), Optional.of(until)));
        List<String> all = new ArrayList<>(read.items());
        while (read.page().hasNext()) {
            read = read(new PageRequest(read.page().nextContinuation(), size, OptionalInt.empty(), Optional.of(until)));
            check(!read.items().isEmpty(), "a next page has items");
            all.addAll(read.items());
            check(all.size() <= MAX_ITEMS, "the walk ends");
        }
        return all;
    }

    public List<String> forward() {
        List<String> all = new ArrayList<>();
        PageWithItems read = read(Optional.empty());
        check(!read.page().hasPrevious(), "nothing is before the first page");
        all.addAll(read.items());
        while (read.page().hasNext()) {
            read = after(read.page());
            check(!read.items().isEmpty() && read.page().hasPrevious(), "a next page has items and a previous page");
            all.addAll(read.items());
            check(all.size() <= MAX_ITEMS, "the walk ends");
        }
        PageWithItems behind = after(read.page());
        check(behind.items().isEmpty(), "nothing is after the last page");
        end = Optional.of(behind);
        return all;
    }

    /** Walks from the empty page after the last item back to the start. */
    List<String> backward() {
        if (end.isEmpty()) {
            forward();
        }
        PageWithItems read = end.orElseThrow();
        List<String> all = new ArrayList<>();
        check(!read.page().hasNext(), "nothing is after the end");
        while (read.page().hasPrevious()) {
            read = before(read.page());
            all.addAll(0, read.items());
            check(all.size() <= MAX_ITEMS, "the walk ends");
        }
        check(before(read.page()).items().isEmpty(), "nothing is before the start");
        return all;
    }

    /** Walks with random changes of direction, and returns the wrong items and flags that it finds. */
    List<String> faultsOfZigzag(RandomGenerator random, List<String> expected) {
        List<String> wrong = new ArrayList<>();
        PageWithItems read = read(Optional.empty());
        for (int step = 0; step < 12; step++) {
            int at = expected.indexOf(read.items().get(0));
            int end = at + read.items().size();
            if (!expected.subList(at, end).equals(read.items())) {
                wrong.add("step " + step + " gave " + read.items());
            }
            if (read.page().hasPrevious() != at > 0 || read.page().hasNext() != end < expected.size()) {
                wrong.add("step " + step + " has wrong flags at " + at);
            }
            boolean forward = !read.page().hasPrevious() || read.page().hasNext() && random.nextInt(3) > 0;
            if (random.nextInt(4) == 0) {
                // Reading forward from the gap before this page must show the same items again.
                Gap top = read.page().gapBefore().orElseThrow();
                PageWithItems again = read(Optional.of(new Continuation(top, Direction.FORWARD)));
                if (!again.items().equals(read.items())
                        && !again.items().subList(0, read.items().size()).equals(read.items())) {
                    wrong.add("step " + step + " read again gave " + again.items());
                }
            }
            read = forward && read.page().hasNext() ? after(read.page()) : before(read.page());
        }
        return wrong;
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("not so: " + what);
        }
    }
}

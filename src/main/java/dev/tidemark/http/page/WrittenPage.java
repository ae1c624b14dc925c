package dev.tidemark.http.page;

import dev.tidemark.feed.Order;
import dev.tidemark.http.caching.TaggedBody;
import dev.tidemark.paging.Direction;

/**
 * A page as JSON. Requests that share a read get the same object.
 *
 * @param direction the direction in which the page was read
 * @param serverTiming the value of the header {@code Server-Timing}
 */
public record WrittenPage(
        TaggedBody body,
        PageFormat format,
        Order order,
        Direction direction,
        PageMembers members,
        String serverTiming) {}

package dev.tidemark.http.page;

import dev.tidemark.feed.Order;
import dev.tidemark.http.caching.WeakTag;
import dev.tidemark.paging.Direction;
import java.util.Optional;

/**
 * A page as JSON. Requests that share a read get the same object.
 *
 * @param body must not be modified
 * @param direction the direction in which the page was read
 * @param members the members of a page of {@code GET /api/{feed}}, for the {@code Link} header; empty for a page of
 *     {@code GET /v3/{feed}}
 * @param serverTiming the value of the header {@code Server-Timing}
 */
public record WrittenPage(
        byte[] body,
        WeakTag tag,
        Order order,
        Direction direction,
        Optional<PageMembers> members,
        String serverTiming) {}

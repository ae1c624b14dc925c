package dev.tidemark.http.page;

import dev.tidemark.feed.Order;
import dev.tidemark.http.caching.WeakTag;
import dev.tidemark.paging.Direction;
import java.util.Optional;

/**
 * A page as JSON; several clients may get the same one.
 *
 * @param body must not be modified
 * @param tag the entity tag of the body
 * @param direction in which the page was read
 * @param facts the source of the {@code Link} header; empty if the protocol has no links
 * @param serverTiming not covered by the tag
 */
public record WrittenPage(
        byte[] body, WeakTag tag, Order order, Direction direction, Optional<PageFacts> facts, String serverTiming) {}

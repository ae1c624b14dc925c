package dev.tidemark.http.page;

import dev.tidemark.http.caching.WeakTag;
import dev.tidemark.paging.Direction;
import java.util.Optional;

/**
 * A page as it is sent, possibly to several clients.
 *
 * @param body not to be written to
 * @param tag of the body
 * @param direction in which it was read
 * @param facts what the links around the page are made of; empty under a protocol that has no links
 * @param serverTiming is no part of what the tag stands for
 */
public record WrittenPage(
        byte[] body, WeakTag tag, Direction direction, Optional<PageFacts> facts, String serverTiming) {}

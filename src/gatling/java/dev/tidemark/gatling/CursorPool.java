package dev.tidemark.gatling;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.client.FeedList;
import dev.tidemark.client.Page;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Cursors at random depths of the feed's default order. */
final class CursorPool {

    /** @param itemCreatedAt the timestamp of the item that the cursor follows */
    record DeepCursor(String cursor, Instant itemCreatedAt) {}

    private final List<DeepCursor> cursors;

    private CursorPool(List<DeepCursor> cursors) {
        this.cursors = cursors;
    }

    /**
     * Finds cursors by jumps to random keys between those of the oldest and the newest item. The keys of the inbox are
     * numbers.
     */
    static CursorPool atRandomDepths(int count) {
        FeedList<JsonNode> list = SetupRequests.defaultList();
        long newest = firstKey(list);
        long oldest = firstKey(list.order("oldest"));
        return new CursorPool(Stream.generate(() -> ThreadLocalRandom.current().nextLong(oldest, newest))
                .flatMap(id -> SetupRequests.pageAt(list, Long.toString(id)).stream())
                .flatMap(page -> page.next().stream().map(cursor -> new DeepCursor(cursor, firstCreatedAt(page))))
                .limit(count)
                .toList());
    }

    private static long firstKey(FeedList<JsonNode> list) {
        return list.page().items().get(0).required("id").asLong();
    }

    private static Instant firstCreatedAt(Page<JsonNode> page) {
        return Instant.parse(page.items().get(0).required("created_at").textValue());
    }

    DeepCursor randomCursor() {
        return cursors.get(ThreadLocalRandom.current().nextInt(cursors.size()));
    }
}

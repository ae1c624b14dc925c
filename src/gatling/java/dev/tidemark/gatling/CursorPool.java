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

    /** @param createdAt the timestamp of the item that the cursor follows */
    record DeepCursor(String cursor, Instant createdAt) {}

    private final List<DeepCursor> all;

    private CursorPool(List<DeepCursor> all) {
        this.all = all;
    }

    /**
     * Finds cursors by jumping to random keys between those of the oldest and the newest item. The keys of the inbox
     * are numbers.
     */
    static CursorPool random(int number) {
        FeedList<JsonNode> list = Server.feed();
        long newest = key(list);
        long oldest = key(list.order("oldest"));
        return new CursorPool(Stream.generate(() -> ThreadLocalRandom.current().nextLong(oldest, newest))
                .flatMap(id -> Server.find(list, Long.toString(id)).stream())
                .flatMap(page -> page.next().stream().map(cursor -> new DeepCursor(cursor, createdAt(page))))
                .limit(number)
                .toList());
    }

    private static long key(FeedList<JsonNode> list) {
        return list.page().items().get(0).required("id").asLong();
    }

    private static Instant createdAt(Page<JsonNode> page) {
        return Instant.parse(page.items().get(0).required("created_at").textValue());
    }

    DeepCursor any() {
        return all.get(ThreadLocalRandom.current().nextInt(all.size()));
    }
}

package dev.tidemark.gatling;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
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

    /** Jumps to random keys between those of the oldest and the newest item. Keys of the inbox are numbers. */
    static CursorPool random(int number) {
        Server server = new Server();
        long newest = Long.parseLong(server.page("limit=1").ids().get(0));
        long oldest = Long.parseLong(server.page("limit=1&order=oldest").ids().get(0));
        return new CursorPool(Stream.generate(() -> ThreadLocalRandom.current().nextLong(oldest, newest))
                .map(id -> server.find("limit=1&from_id=" + id))
                .flatMap(Optional::stream)
                .filter(page -> page.next() != null)
                .map(page -> new DeepCursor(page.next(), page.createdAt(0)))
                .limit(number)
                .toList());
    }

    DeepCursor any() {
        return all.get(ThreadLocalRandom.current().nextInt(all.size()));
    }
}

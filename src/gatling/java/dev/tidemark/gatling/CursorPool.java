package dev.tidemark.gatling;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** CursorPool at random depths of the feed's default order, each with a cursor that a page gave. */
final class CursorPool {

    /** @param createdAt the moment of the item behind which the cursor stands */
    record DeepCursor(String cursor, Instant createdAt) {}

    private final List<DeepCursor> all;

    private CursorPool(List<DeepCursor> all) {
        this.all = all;
    }

    /** By jumps to random keys between the oldest item's and the newest one's, which are numbers in the inbox. */
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

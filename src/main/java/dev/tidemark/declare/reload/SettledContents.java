package dev.tidemark.declare.reload;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the contents of files to reload. Changed contents are reloaded if they were the same at two consecutive
 * polls, because a file may still be being written when it is polled. Rejected contents are reloaded again after some
 * time, because the database can have changed.
 */
final class SettledContents {

    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(10);

    private @Nullable Map<Path, Optional<ByteBuffer>> lastSeen;
    private @Nullable Map<Path, Optional<ByteBuffer>> lastReloaded;
    private long lastReloadNanos;

    /**
     * @param contents the contents at this poll
     * @param wasLastRejected whether the contents that were reloaded last were rejected
     * @return the contents to reload; empty if there is nothing to do now
     */
    Optional<Map<Path, Optional<ByteBuffer>>> next(Map<Path, Optional<ByteBuffer>> contents, boolean wasLastRejected) {
        boolean isSettled = contents.equals(lastSeen);
        lastSeen = contents;
        boolean isDue = !contents.equals(lastReloaded)
                || wasLastRejected && System.nanoTime() - lastReloadNanos > RETRY_INTERVAL.toNanos();
        if (!isSettled || !isDue) {
            return Optional.empty();
        }
        lastReloaded = contents;
        lastReloadNanos = System.nanoTime();
        return Optional.of(contents);
    }

    /** Makes {@link #next} return the contents again once they have settled, even if they were reloaded last. */
    void forget() {
        lastReloaded = null;
    }
}

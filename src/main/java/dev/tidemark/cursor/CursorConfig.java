package dev.tidemark.cursor;

import dev.tidemark.settings.Bounds;
import io.smallrye.config.ConfigMapping;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Settings for sealing cursors. */
@ConfigMapping(prefix = "tidemark.cursor")
public interface CursorConfig {

    /** The names of the property {@link #keys} and of its environment variable, as shown in messages. */
    String KEYS_SETTING = "tidemark.cursor.keys (TIDEMARK_CURSOR_KEYS)";

    /**
     * Keys of 64 random bytes each, in base64. The first key seals new cursors; every key can open cursors. To rotate
     * keys, add the new key at the end on all instances, then move it to the front, and later remove the old key. If
     * not set, a key is generated at startup, and cursors become invalid when the process ends.
     */
    Optional<List<String>> keys();

    /**
     * How long a cursor is valid, at least 10 seconds. The actual lifetime can be up to a tenth shorter. If not set,
     * cursors do not expire.
     */
    @Bounds(min = "10s")
    Optional<Duration> lifetime();
}

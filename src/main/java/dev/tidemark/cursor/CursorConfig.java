package dev.tidemark.cursor;

import io.smallrye.config.ConfigMapping;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Settings for sealing cursors. */
@ConfigMapping(prefix = "tidemark.cursor")
public interface CursorConfig {

    /** The names of the property {@link #keys} and of its environment variable, as shown in messages. */
    String KEYS = "tidemark.cursor.keys (TIDEMARK_CURSOR_KEYS)";

    /**
     * Keys of 64 random bytes each, in base64. The first key seals new cursors; every key can open cursors. To rotate
     * keys, insert a new key at the front and remove old keys later. If empty, a key is generated at startup, and
     * cursors become invalid when the process ends.
     */
    Optional<List<String>> keys();

    /**
     * How long a cursor is valid, at least 10 seconds. The actual lifetime can be up to a tenth shorter. If empty,
     * cursors do not expire.
     */
    Optional<Duration> lifetime();
}

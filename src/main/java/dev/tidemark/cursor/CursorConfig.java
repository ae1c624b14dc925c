package dev.tidemark.cursor;

import io.smallrye.config.ConfigMapping;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.hibernate.validator.constraints.time.DurationMin;

/** How cursors are sealed. */
@ConfigMapping(prefix = "tidemark.cursor")
public interface CursorConfig {

    /** The property of the keys, in both of its spellings. */
    String KEYS = "tidemark.cursor.keys (TIDEMARK_CURSOR_KEYS)";

    /**
     * Keys of 64 random bytes each, in base64. The first one seals, all of them open, so that a new key is put in front
     * and an old one is dropped when its cursors no longer matter. None: one is made at start, and cursors die with the
     * process.
     */
    Optional<List<String>> keys();

    /** How long a cursor can be used, rounded down by up to a tenth; none: as long as a key opens it. */
    Optional<@DurationMin(seconds = 10) Duration> lifetime();
}

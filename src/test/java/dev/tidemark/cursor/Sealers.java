package dev.tidemark.cursor;

import dev.tidemark.feed.Feeds;
import io.smallrye.config.SmallRyeConfig;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Sealers with a fixed key. Test servers are configured with the same key. */
public final class Sealers {

    /** A key for tests. */
    public static final String KEY = key(7);

    private Sealers() {}

    /** A valid key. Different seeds give different keys. */
    static String key(int seed) {
        byte[] key = new byte[64];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (seed * 31 + i);
        }
        return Base64.getEncoder().encodeToString(key);
    }

    /** A sealer of cursors that uses {@link #KEY}. Its cursors do not expire. */
    public static CursorSealer withoutLifetime() {
        return new CursorSealer(CursorKeys.parse(List.of(KEY)), Optional.empty(), Clock.systemUTC());
    }

    /** The sealer of a server with this configuration, which maps {@link CursorConfig}. */
    public static CursorSealer configured(SmallRyeConfig config) {
        CursorConfig cursors = config.getConfigMapping(CursorConfig.class);
        CursorProducer producer = new CursorProducer();
        return producer.cursorSealer(cursors, producer.keys(cursors, config));
    }

    /** A sealer of moments that uses {@link #KEY}. */
    public static MomentSealer moments() {
        return new MomentSealer(CursorKeys.parse(List.of(KEY)), new Feeds(List.of()), 16_000_000);
    }

    /** A hash whose secret is derived from {@link #KEY}. */
    public static KeyedHash hash() {
        return KeyedHash.derivedFrom(CursorKeys.parse(List.of(KEY)));
    }
}

package dev.tidemark.cursor;

import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Sealers with a fixed key. Test servers are configured with the same key. */
public final class Sealers {

    /** A key for tests. */
    public static final String KEY = CursorSealerTest.key(7);

    private Sealers() {}

    /** A sealer of cursors that uses {@link #KEY}. Its cursors do not expire. */
    public static CursorSealer withoutLifetime() {
        return new CursorSealer(CursorKeys.parse(List.of(KEY)), Optional.empty(), Clock.systemUTC());
    }

    /** A sealer of moments that uses {@link #KEY}. */
    public static MomentSealer moments() {
        return new MomentSealer(CursorKeys.parse(List.of(KEY)));
    }

    /** A hash whose secret is derived from {@link #KEY}. */
    public static KeyedHash hash() {
        return KeyedHash.derivedFrom(CursorKeys.parse(List.of(KEY)));
    }
}

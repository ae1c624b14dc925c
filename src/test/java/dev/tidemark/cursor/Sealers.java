package dev.tidemark.cursor;

import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Sealers as other instances, with other settings, would have them. */
public final class Sealers {

    /** A key that is no secret. */
    public static final String KEY = AesSivCursorSealerTest.key(7);

    private Sealers() {}

    /** One that uses {@link #KEY} and knows no lifetime. */
    public static CursorSealer ageless() {
        return new AesSivCursorSealer(CursorKeys.parse(List.of(KEY)), Optional.empty(), Clock.systemUTC());
    }
}

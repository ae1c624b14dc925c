package dev.tidemark.declare.reload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettledContentsTest {

    private static final Map<Path, Optional<ByteBuffer>> FIRST = contents("first");
    private static final Map<Path, Optional<ByteBuffer>> SECOND = contents("second");

    private final SettledContents settled = new SettledContents();

    @Test
    void contentsAreReloadedOnceAfterTwoEqualReadings() {
        assertThat(settled.next(FIRST, false)).isEmpty();
        assertThat(settled.next(SECOND, false)).isEmpty();
        assertThat(settled.next(FIRST, false)).isEmpty();
        assertThat(settled.next(FIRST, false)).contains(FIRST);
        assertThat(settled.next(FIRST, false)).isEmpty();
    }

    /** The files can change and change back while they are reloaded. */
    @Test
    void contentsThatChangedDuringAReloadAreReloadedAgain() {
        settled.next(FIRST, false);
        assertThat(settled.next(FIRST, false)).contains(FIRST);
        settled.forget();
        assertThat(settled.next(FIRST, false)).contains(FIRST);
        assertThat(settled.next(FIRST, false)).isEmpty();
    }

    private static Map<Path, Optional<ByteBuffer>> contents(String text) {
        return Map.of(Path.of("feeds.yaml"), Optional.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))));
    }
}

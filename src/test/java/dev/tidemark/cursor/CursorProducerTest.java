package dev.tidemark.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorProducerTest {

    @Test
    void aMalformedKeyStopsTheStartWithOneSentence() {
        assertThatThrownBy(() -> sealer(Map.of("tidemark.cursor.keys", "c2VzYW1l")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Tidemark cannot start: tidemark.cursor.keys (TIDEMARK_CURSOR_KEYS):"
                        + " key 1 has 6 bytes instead of 64");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", ",,"})
    void anEmptyListOfKeysStopsTheStartWithOneSentence(String keys) {
        assertThatThrownBy(() -> sealer(Map.of("tidemark.cursor.keys", keys)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        "Tidemark cannot start: tidemark.cursor.keys (TIDEMARK_CURSOR_KEYS) is set but contains no key;"
                                + " omit it to generate a key at each start");
    }

    @Test
    void keysCanBeAYamlList() {
        assertThat(sealer(Map.of("tidemark.cursor.keys[0]", Sealers.key(1)))).isNotNull();
    }

    @Test
    void anEmptyKeyInAYamlListStopsTheStart() {
        assertThatThrownBy(() -> sealer(Map.of("tidemark.cursor.keys[0]", "")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("is set but contains no key");
    }

    @Test
    void cursorsWorkWithoutConfiguredKeys() {
        CursorSealer sealer = sealer(Map.of());
        ListState state = SampleFeeds.listState(SampleFeeds.messages(), "newest");
        Continuation continuation =
                new Continuation(Gap.after(Position.of("2026-01-16 10:00:00+00", "1")), Direction.FORWARD);
        assertThat(sealer.open(state, sealer.seal(state, continuation))).isEqualTo(continuation);
    }

    private static CursorSealer sealer(Map<String, String> properties) {
        return Sealers.configured(new SmallRyeConfigBuilder()
                .withMapping(CursorConfig.class)
                .withSources(new PropertiesConfigSource(properties, "test", 100))
                .build());
    }
}

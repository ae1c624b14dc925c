package dev.tidemark.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CursorProducerTest {

    private record Config(Optional<List<String>> keys, Optional<Duration> lifetime) implements CursorConfig {}

    @Test
    void a_malformed_key_stops_the_start_with_one_sentence() {
        assertThatThrownBy(() ->
                        new CursorProducer().sealer(new Config(Optional.of(List.of("c2VzYW1l")), Optional.empty())))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Tidemark cannot start: tidemark.cursor.keys: key 1 is of 6 bytes instead of 64");
    }

    @Test
    void without_keys_there_are_cursors_all_the_same() {
        assertThat(new CursorProducer().sealer(new Config(Optional.empty(), Optional.empty())))
                .isNotNull();
    }
}

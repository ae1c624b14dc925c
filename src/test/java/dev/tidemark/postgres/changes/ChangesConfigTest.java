package dev.tidemark.postgres.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ChangesConfigTest {

    @Test
    void theDefaultMatchesTheDocumentation() {
        ChangesConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(ChangesConfig.class)
                .build()
                .getConfigMapping(ChangesConfig.class);
        assertThat(config.pollInterval()).isEqualTo(Duration.ofSeconds(2));
    }
}

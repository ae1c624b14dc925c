package dev.tidemark.http.fresh;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FreshConfigTest {

    @Test
    void theDefaultsMatchTheDocumentation() {
        FreshConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(FreshConfig.class)
                .build()
                .getConfigMapping(FreshConfig.class);
        assertThat(config.maxStreams()).isEqualTo(10_000);
        assertThat(config.heartbeat()).isEqualTo(Duration.ofSeconds(15));
    }
}

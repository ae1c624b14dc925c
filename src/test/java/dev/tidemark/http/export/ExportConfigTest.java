package dev.tidemark.http.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExportConfigTest {

    @Test
    void theDefaultsMatchTheDocumentation() {
        ExportConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(ExportConfig.class)
                .build()
                .getConfigMapping(ExportConfig.class);
        assertThat(config.maxStreams()).isEqualTo(16);
        assertThat(config.stalledTimeout()).isEqualTo(Duration.ofSeconds(60));
    }
}

package dev.tidemark.http.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.SmallRyeConfigBuilder;
import org.junit.jupiter.api.Test;

class ExportConfigTest {

    @Test
    void theDefaultMatchesTheDocumentation() {
        ExportConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(ExportConfig.class)
                .build()
                .getConfigMapping(ExportConfig.class);
        assertThat(config.maxStreams()).isEqualTo(16);
    }
}

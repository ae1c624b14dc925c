package dev.tidemark.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.SmallRyeConfigBuilder;
import org.junit.jupiter.api.Test;

class RequestLogConfigTest {

    @Test
    void theDefaultMatchesTheDocumentation() {
        RequestLogConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(RequestLogConfig.class)
                .build()
                .getConfigMapping(RequestLogConfig.class);
        assertThat(config.linesPerSecond()).isEqualTo(100);
    }
}

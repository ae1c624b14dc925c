package dev.tidemark.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.runtime.QuarkusBindException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.net.BindException;
import java.util.Map;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortInUseTest {

    private static String describe(int port, Map<String, String> settings) {
        Config config = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "settings", 100))
                .build();
        return PortInUse.describe(new QuarkusBindException("0.0.0.0", port, new BindException()), config);
    }

    @ParameterizedTest
    @CsvSource({
        "quarkus.http.port, QUARKUS_HTTP_PORT",
        "quarkus.http.ssl-port, QUARKUS_HTTP_SSL_PORT",
        "quarkus.management.port, QUARKUS_MANAGEMENT_PORT"
    })
    void theSettingOfThePortIsNamed(String property, String variable) {
        assertThat(describe(4711, Map.of(property, "4711")))
                .isEqualTo("Port 4711 seems to be in use by another process; stop it, or set " + variable
                        + " to another port");
    }

    @Test
    void theSettingOfADefaultPortIsNamed() {
        assertThat(describe(8080, Map.of("quarkus.management.port", "9001"))).contains("QUARKUS_HTTP_PORT");
        assertThat(describe(9000, Map.of())).contains("QUARKUS_MANAGEMENT_PORT");
    }
}

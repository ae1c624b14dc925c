package dev.tidemark.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.WithDefault;
import io.smallrye.config.source.yaml.YamlConfigSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The framework's messages have the forms that {@link RejectedSettings} knows. */
class RejectedSettingsTest {

    @ConfigMapping(prefix = "tidemark")
    interface Settings {
        Optional<Duration> startTimeout();

        @WithDefault("4")
        int freeConnections();

        Map<String, String> feeds();
    }

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            start-timeout: soon     | tidemark.start-timeout (s.yaml:2) is "soon", but must be a duration, such as 500ms, 5s, or 1h
            free-connections: 4 + 1 | tidemark.free-connections (s.yaml:2) is "4 + 1", but must be a whole number
            free-connections: ""    | tidemark.free-connections (s.yaml:2) is empty; give it a value, or remove it
            feeds: {a: "${NO_SUCH}"} | tidemark.feeds.a (s.yaml:2) refers to ${NO_SUCH}, but there is no environment variable or property with this name
            start-timout: 5s        | there is no setting tidemark.start-timout; the nearest name is start-timeout
            """)
    void aRejectedSettingIsDescribedWithItsLineAndWhatWasExpected(String setting, String description)
            throws IOException {
        assertThat(describe(setting, Map.of())).containsExactly(description);
    }

    @Test
    void everyRejectedSettingIsDescribed() throws IOException {
        assertThat(describe("start-timeout: soon\n  free-connections: many", Map.of()))
                .hasSize(2);
    }

    @Test
    void theMessageNamesTheEnvironmentVariableOfARejectedSetting() throws IOException {
        assertThat(describe("start-timeout: soon", Map.of("TIDEMARK_START_TIMEOUT", "soon")))
                .containsExactly(
                        "TIDEMARK_START_TIMEOUT is \"soon\", but must be a duration, such as 500ms, 5s, or 1h");
    }

    @Test
    void anotherFailureIsNotDescribed() {
        assertThat(RejectedSettings.describe(new IllegalStateException("another"), ""))
                .isEmpty();
    }

    private List<String> describe(String setting, Map<String, String> environment) throws IOException {
        String yaml = "tidemark:\n  " + setting + "\n";
        Path file = Files.writeString(directory.resolve("s.yaml"), yaml);
        Throwable failure = catchThrowable(() -> new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withConverter(Duration.class, 200, new DurationConverter())
                .withMapping(Settings.class)
                .withSources(new YamlConfigSource("s.yaml", yaml))
                .build());
        return RejectedSettings.describe(
                new RuntimeException("Failed to start", failure),
                () -> new SettingLocations(SourceLines.of(List.of(new YamlFile(file))), environment, new Properties()));
    }
}

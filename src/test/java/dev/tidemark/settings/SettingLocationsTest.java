package dev.tidemark.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingLocationsTest {

    private static final String PROPERTY = "tidemark.start-timeout";
    private static final Map<String, String> ENVIRONMENT = Map.of("TIDEMARK_START_TIMEOUT", "soon");

    @TempDir
    Path directory;

    private SourceLines lines;

    @BeforeEach
    void writeFile() throws Exception {
        Path file = Files.writeString(directory.resolve("s.yaml"), "tidemark:\n  start-timeout: soon\n");
        lines = SourceLines.of(List.of(file));
    }

    @Test
    void aPropertyOfAFileIsDescribedWithItsLine() {
        assertThat(new SettingLocations(lines, Map.of(), new Properties()).describe(PROPERTY))
                .isEqualTo("tidemark.start-timeout (s.yaml:2)");
    }

    @Test
    void anEnvironmentVariableTakesPrecedenceOverAFile() {
        assertThat(new SettingLocations(lines, ENVIRONMENT, new Properties()).describe(PROPERTY))
                .isEqualTo("TIDEMARK_START_TIMEOUT");
    }

    @Test
    void aSystemPropertyTakesPrecedenceOverAnEnvironmentVariable() {
        Properties properties = new Properties();
        properties.setProperty(PROPERTY, "soon");
        assertThat(new SettingLocations(lines, ENVIRONMENT, properties).describe(PROPERTY))
                .startsWith(PROPERTY);
    }
}

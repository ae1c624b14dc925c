package dev.tidemark.framework;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.PropertiesLocationConfigSourceFactory;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.source.yaml.YamlLocationConfigSourceFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePrecedenceTest {

    @TempDir
    Path directory;

    /** The ordinals are those of the framework. */
    @Test
    void laterSourcesTakePrecedence() throws IOException {
        Path settings =
                Files.writeString(directory.resolve("settings.yaml"), "{a: listed, b: listed, c: listed, d: 1}");
        Files.writeString(directory.resolve("settings-eu.yaml"), "{a: profile, b: profile, c: profile}");
        Path secrets = Files.writeString(directory.resolve("secrets.properties"), "a=secret");
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredInterceptors()
                .withProfile("eu")
                .withSources(new YamlLocationConfigSourceFactory(), new PropertiesLocationConfigSourceFactory())
                .withSources(
                        new EnvConfigSource(
                                Map.of("A", "variable", "SMALLRYE_CONFIG_LOCATIONS", settings + "," + secrets), 300),
                        new PropertiesConfigSource(
                                Map.of("a", "config", "b", "config"), "config/application.yaml", 265),
                        new PropertiesConfigSource(
                                Map.of("b", "packaged", "c", "packaged", "d", "packaged"), "application.yaml", 257))
                .build();
        assertThat(config.getConfigValue("a").getValue()).isEqualTo("variable");
        assertThat(config.getConfigValue("b").getValue()).isEqualTo("config");
        assertThat(config.getConfigValue("c").getValue()).isEqualTo("profile");
        assertThat(config.getConfigValue("d").getValue()).isEqualTo("1");
    }
}

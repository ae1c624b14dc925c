package dev.tidemark.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFilesTest {

    @TempDir
    Path directory;

    @Test
    void aMissingFileIsAFaultWithTheNearestNameBesideIt() throws IOException {
        Files.writeString(directory.resolve("feeds.yaml"), "tidemark: {}");
        for (String location : new String[] {
            directory.resolve("feed.yaml").toString(),
            directory.resolve("feed.yaml").toUri().toString()
        }) {
            assertThat(ConfigFiles.faults(location))
                    .containsExactly("there is no file " + location
                            + ", which QUARKUS_CONFIG_LOCATIONS names; the nearest name is feeds.yaml");
        }
        assertThat(ConfigFiles.faults(directory.resolve("feeds.yaml") + ", https://example.org/feeds.yaml"))
                .isEmpty();
        assertThat(ConfigFiles.faults("")).isEmpty();
    }

    @Test
    void malformedYamlIsAFaultAtItsLineAndColumn() throws IOException {
        Path file = Files.writeString(directory.resolve("feeds.yaml"), "tidemark:\n  feeds:\n    orders: a: b\n");
        assertThat(ConfigFiles.faults(file.toString()))
                .singleElement()
                .asString()
                .startsWith(file + ":3:14: is not valid YAML: mapping values are not allowed here")
                .contains("orders: a: b");
    }

    @Test
    void aPropertyIsFoundAtItsLineOrThatOfThePropertyAroundIt() throws IOException {
        Path file = Files.writeString(directory.resolve("feeds.yaml"), """
                # Feeds
                tidemark:
                  feeds:
                    orders:
                      table: public.orders
                      columns: [id,
                        total]
                """);
        SourceLines lines = SourceLines.of(List.of(file));
        assertThat(lines.find("tidemark.feeds.orders", "columns")).contains("feeds.yaml:6");
        assertThat(lines.find("tidemark.feeds.orders", "orders.newest")).contains("feeds.yaml:4");
        assertThat(lines.find("tidemark.feeds.others", "table")).isEmpty();
    }

    @Test
    void linesOfAFileAreFoundAlthoughAnotherCannotBeRead() throws IOException {
        Path file = Files.writeString(directory.resolve("feeds.yaml"), "tidemark:\n  feeds:\n    orders: {}\n");
        Path malformed = Files.writeString(directory.resolve("other.yaml"), "tidemark: a: b\n");
        Path removed = directory.resolve("removed.yaml");
        assertThat(SourceLines.of(List.of(file, malformed, removed)).find("tidemark.feeds.orders", "table"))
                .contains("feeds.yaml:3");
    }
}

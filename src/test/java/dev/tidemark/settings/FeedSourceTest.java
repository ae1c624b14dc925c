package dev.tidemark.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.source.yaml.YamlLocationConfigSourceFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeedSourceTest {

    @TempDir
    Path directory;

    private static SmallRyeConfig config(Map<String, String> settings, String... locations) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withProfile("eu")
                .withSources(new YamlLocationConfigSourceFactory())
                .withDefaultValue("smallrye.config.locations", String.join(",", locations))
                .withDefaultValue("quarkus.config.locations", String.join(",", locations));
        settings.forEach(builder::withDefaultValue);
        return builder.build();
    }

    private String write(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content).toString();
    }

    /** Reads what the framework reads, and JSON. */
    @Test
    void filesOfEachKindThoseOfProfilesAndTheVariableDeclareFeeds() throws IOException {
        String feeds = write("feeds.yaml", "tidemark: {feeds: {a: {}}}\n---\n'%eu': {tidemark: {feeds: {b: {}}}}");
        write("feeds-eu.yaml", "tidemark: {feeds: {c: {}}}");
        write("feeds-us.yaml", "tidemark: {feeds: {none: {}}}");
        String json = write("more.json", "{\"tidemark\": {\"feeds\": {\"d\": {}}}}");
        Path more = Files.createDirectory(directory.resolve("more"));
        Files.writeString(more.resolve("e.yml"), "tidemark: {feeds: {e: {}}}\n'%us': {tidemark: {feeds: {none: {}}}}");
        Files.writeString(more.resolve("settings.yaml"), "tidemark: {start-timeout: 1s}");
        SmallRyeConfig config =
                config(Map.of("tidemark.feeds", "f:\n  visible: a = '${NO_SUCH}'"), feeds, json, more.toString());
        List<FeedSource> sources = FeedSource.readAll(config);
        assertThat(sources)
                .flatExtracting(source -> source.feeds().keySet())
                .containsExactlyInAnyOrder("a", "b", "c", "d", "e", "f");
        assertThat(sources)
                .extracting(FeedSource::origin)
                .contains(feeds, json, more.resolve("e.yml").toString(), "TIDEMARK_FEEDS");
        assertThat(sources).extracting(FeedSource::name).contains("feeds.yaml", "feeds-eu.yaml", "more.json", "e.yml");
    }

    @Test
    void anEmptyVariableIsNoSource() {
        for (String empty : List.of("", " ", "{}")) {
            assertThat(FeedSource.readAll(config(Map.of("tidemark.feeds", empty))))
                    .isEmpty();
        }
    }

    @Test
    void jsonInTheVariableCanHaveTabsAndEscapedSlashes() {
        assertThat(FeedSource.readAll(
                        config(Map.of("tidemark.feeds", "{\n\t\"a\": {\n\t\t\"visible\": \"b <> '\\/'\"}}"))))
                .hasSize(1);
    }

    @Test
    void aMalformedVariableIsReportedAtItsLineAndColumn() {
        for (Map.Entry<String, String> fault : Map.of(
                        "a: {}\nb: c: d", "TIDEMARK_FEEDS:2:5: is not valid YAML: mapping values are not allowed here",
                        "a: {}\na: {}", "TIDEMARK_FEEDS:2:1: a is repeated; it is already in line 1",
                        "[a]",
                                "TIDEMARK_FEEDS: must be a map of feeds by their names, as under tidemark.feeds in a file",
                        "/etc/feeds.yaml", "TIDEMARK_FEEDS: must be a map of feeds by their names")
                .entrySet()) {
            assertThatThrownBy(() -> FeedSource.readAll(config(Map.of("tidemark.feeds", fault.getKey()))))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("Tidemark cannot start: " + fault.getValue());
        }
    }
}

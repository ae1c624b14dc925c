package dev.tidemark.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.source.yaml.YamlLocationConfigSourceFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** YAML 1.1 reads most of these words as other values than text. */
class FeedTextTest {

    @TempDir
    Path directory;

    private static Map<String, String> feeds(String yaml) {
        Map<String, String> feeds = new TreeMap<>();
        FeedText.source("feeds.yaml", yaml)
                .getProperties()
                .forEach((name, value) -> feeds.put(name.replace("tidemark.feeds.", ""), value));
        return feeds;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no",
                "No",
                "NO",
                "on",
                "off",
                "yes",
                "y",
                "true",
                "False",
                "null",
                "~",
                "Null",
                "1e3",
                "0x10",
                "010",
                "1_000",
                "1:30",
                "+1",
                "2026-01-16",
                "2026-01-16t10:00:00z",
                "7",
                "=",
                "0b11"
            })
    void eachWordIsTextAsKeyAndAsValueInBothStyles(String word) {
        String flow = "tidemark: {feeds: {f: {columns: [id, %1$s], orders: {%1$s: %1$s}, %1$s: %1$s}}}";
        String block = """
                tidemark:
                  feeds:
                    f:
                      columns:
                        - id
                        - %1$s
                      orders:
                        %1$s: %1$s
                      %1$s:
                        %1$s
                """;
        for (String quotes : new String[] {"%s", "'%s'", "\"%s\""}) {
            for (String yaml : new String[] {flow, block}) {
                assertThat(feeds(yaml.formatted(quotes.formatted(word))))
                        .containsOnly(
                                Map.entry("f.columns", "id," + word),
                                Map.entry("f.columns[0]", "id"),
                                Map.entry("f.columns[1]", word),
                                Map.entry("f.orders." + word, word),
                                Map.entry("f." + word, word));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x: &common {filters: {no: on}}\ntidemark: {feeds: {off: {<<: *common}}}",
                "x: &common {filters: {no: on}}\ntidemark: {feeds: {off: {<<: [*common, {filters: {yes: no}}]}}}",
                "x: &filters {no: on}\ntidemark: {feeds: {off: {filters: *filters}}}",
                "x: &no no\ntidemark: {feeds: {off: {filters: {*no : &on on}}}}",
                "x: &feeds {off: {filters: {no: on}}}\ntidemark: {feeds: *feeds}",
                "x: &root {feeds: {off: {filters: {no: on}}}}\ntidemark: {<<: *root}",
                "<<: {tidemark: {feeds: {off: {filters: {no: on}}}}}",
                "tidemark: {feeds: {off: {filters: !!map {!!bool no: !!str on}}}}",
                "%YAML 1.1\n---\nx: 1\n---\ntidemark: {feeds: {? off : {filters: {? no : on}}}}",
            })
    void anchorsMergesAndTagsChangeNothing(String yaml) {
        assertThat(feeds(yaml)).containsEntry("off.filters.no", "on").doesNotContainKey("off.filters.yes");
    }

    @Test
    void whatStandsOutsideFeedsIsReadAsBefore() {
        assertThat(FeedText.source("s.yaml", """
                quarkus: {log: {console: {json: {enabled: no}}}, x: &x off, y: ~, format: "%d\\t%s"}
                tidemark: {require-indexes: yes, feeds: {f: {visible: *x}}}
                "%dev": {tidemark: {feeds: {f: {visible: no}}, require-indexes: no}}
                """).getProperties())
                .containsOnly(
                        Map.entry("quarkus.log.console.json.enabled", "false"),
                        Map.entry("quarkus.x", "false"),
                        Map.entry("quarkus.format", "%d\t%s"),
                        Map.entry("tidemark.require-indexes", "true"),
                        Map.entry("tidemark.feeds.f.visible", "off"),
                        Map.entry("%dev.tidemark.feeds.f.visible", "no"),
                        Map.entry("%dev.tidemark.require-indexes", "false"));
    }

    @Test
    void everyCharacterOfAConditionStays() {
        String sql = "  a = 'x: y' -- #\\n\n\n    AND \"no\" > 'é😀\t' \n  ";
        for (String style : new String[] {"|2+", ">2+"}) {
            String text = "\n" + sql.indent(12).replaceAll("(?m)^ +$", "");
            String yaml = "tidemark:\n  feeds:\n    f:\n      visible: " + style + text;
            String plain = yaml.replace("tidemark", "x").replace("feeds", "y");
            assertThat(feeds(yaml)).containsEntry("f.visible", feeds(plain).get("x.y.f.visible"));
        }
        assertThat(feeds("tidemark: {feeds: {f: {visible: \"%s\"}}}"
                        .formatted(
                                sql.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))))
                .containsEntry("f.visible", sql);
    }

    @Test
    void aPropertyWithoutAValueIsEmptyAndNotMissing() {
        assertThat(feeds("tidemark: {feeds: {f: {visible: , roles: }}}"))
                .containsOnly(Map.entry("f.visible", ""), Map.entry("f.roles", ""));
    }

    @Test
    void listedFilesAndThoseOfTheirProfilesAreText() throws IOException {
        Path file = Files.writeString(
                directory.resolve("feeds.yaml"), "tidemark: {feeds: {f: {orders: {no: yes}, table: on}}}");
        Files.writeString(directory.resolve("feeds-eu.yaml"), "tidemark: {feeds: {f: {table: off}}}");
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withProfile("eu")
                .withSources(new YamlLocationConfigSourceFactory())
                .withDefaultValue("smallrye.config.locations", file.toString())
                .withCustomizers(new FeedTextSources())
                .build();
        assertThat(config.getConfigValue("tidemark.feeds.f.orders.no").getValue())
                .isEqualTo("yes");
        assertThat(config.getConfigValue("tidemark.feeds.f.table").getValue()).isEqualTo("off");
        assertThat(config.getPropertyNames()).noneMatch(name -> name.endsWith(".false"));
        assertThat(FeedSources.find(config, List.of("f")))
                .containsExactly(directory.resolve("feeds-eu.yaml").toString());
    }
}

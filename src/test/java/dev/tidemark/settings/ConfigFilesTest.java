package dev.tidemark.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.source.yaml.YamlConfigSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.nodes.ScalarNode;

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
                            + ", which QUARKUS_CONFIG_LOCATIONS lists; the nearest name is feeds.yaml");
        }
        assertThat(ConfigFiles.faults(directory.resolve("feeds.yaml") + ", https://example.org/feeds.yaml"))
                .isEmpty();
        assertThat(ConfigFiles.faults("")).isEmpty();
    }

    /** Reading a named pipe would block until somebody writes to it. */
    @Test
    void aLocationThatIsNeitherAFileNorADirectoryIsAFault() {
        assertThat(ConfigFiles.faults("/dev/null"))
                .containsExactly("/dev/null, which QUARKUS_CONFIG_LOCATIONS lists, is neither a file nor a directory");
    }

    @Test
    void otherFilesInADirectoryAreNotRead() throws IOException {
        Path feeds = Files.writeString(directory.resolve("feeds.yaml"), "tidemark: {}");
        Files.createFile(directory.resolve(".gitkeep"));
        Files.createDirectory(directory.resolve("more.yaml"));
        assertThat(ConfigFiles.files(directory.toString())).containsExactly(feeds);
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

    private String faults(String name, String content) throws IOException {
        return String.join(
                "\n",
                ConfigFiles.faults(
                        Files.writeString(directory.resolve(name), content).toString()));
    }

    @Test
    void aRepeatedKeyIsAFaultAtItsLine() throws IOException {
        assertThat(faults("feeds.yaml", "tidemark:\n  feeds:\n    orders: {}\n    orders: {}\n"))
                .endsWith("feeds.yaml:4:5: orders is repeated; it is already in line 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"- a", "text", "{a: b}\n---\n[c]"})
    void aFileWithoutATopLevelMapIsAFault(String content) throws IOException {
        assertThat(faults("feeds.yaml", content)).contains("must be a map of properties");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# a", "---\n# a\n---\na: b", "a: b\n---\n", "---\n"})
    void anEmptyDocumentIsNoFault(String content) throws IOException {
        assertThat(faults("feeds.yaml", content)).isEmpty();
        new YamlConfigSource("feeds.yaml", content);
        new YamlConfigSource(directory.resolve("feeds.yaml").toUri().toURL());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {feeds: [a]}             | 1:19: feeds must be a map of feeds by their names, and not a value or a list
            {feeds: a}               | 1:19: feeds must be a map of feeds by their names, and not a value or a list
            [a]                      | 1:11: tidemark must be a map of settings, such as feeds, and not a value or a list
            """)
    void aMapThatIsAnotherValueIsAFaultAtItsLine(String tidemark, String fault) throws IOException {
        assertThat(faults("feeds.yaml", "tidemark: " + tidemark)).endsWith("feeds.yaml:" + fault);
    }

    /** The framework takes such a key as one name with a dot in it, and then looks for other names. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            tidemark.feeds.u.table: orders          | 2:1: tidemark.feeds.u.table
            tidemark.feeds: '{u: {table: orders}}'  | 2:1: tidemark.feeds
            tidemark.statement-timeout: 2s          | 2:1: tidemark.statement-timeout
            quarkus.http: {port: 80}                | 2:1: quarkus.http
            '%prod.tidemark.feeds': {}              | 2:1: %prod.tidemark.feeds
            '%prod': {tidemark.feeds: {}}           | 2:11: tidemark.feeds
            """)
    void aKeyWithADotIsAFaultAtItsLine(String line, String fault) throws IOException {
        assertThat(faults("feeds.yaml", "tidemark: {feeds: {}}\n" + line))
                .endsWith("feeds.yaml:" + fault
                        + " is not read: write each part as a key of its own, below the one before it");
    }

    @Test
    void aKeyWithADotThatIsNoSettingIsNoFault() throws IOException {
        assertThat(faults("feeds.yaml", "tidemark: {feeds: {}}\n'com.example': {a: 1}\n1.5: 2"))
                .isEmpty();
    }

    @Test
    void aKeyWithADotBelowTheFirstIsNoFault() throws IOException {
        assertThat(faults("feeds.yaml", "quarkus: {log: {category: {'dev.tidemark': {level: DEBUG}}}}"))
                .isEmpty();
    }

    /** The framework ignores its settings. */
    @Test
    void aSectionOfSeveralProfilesIsAFaultAtItsLine() throws IOException {
        assertThat(faults("feeds.yaml", "'%staging,prod':\n  tidemark: {feeds: {}}"))
                .endsWith("feeds.yaml:1:1: %staging,prod is not read: write a section for each profile");
    }

    @Test
    void aValueThatContainsItselfIsAFaultAtItsLine() throws IOException {
        assertThat(faults("feeds.yaml", "x: y\na: &a [*a]")).endsWith("feeds.yaml:2:4: contains itself");
        assertThat(faults("feeds.yaml", "a: &a {b: {<<: *a}}")).endsWith("feeds.yaml:1:4: contains itself");
        assertThat(faults("feeds.yaml", "a: &a {b: c}\nd: {<<: *a}\ne: *a\n")).isEmpty();
    }

    /** The framework ends with a stack trace, or with a message without the file. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {<<: abc}        | 2:10: << must have a map, or a list of maps
            {<<: [abc]}      | 2:10: << must have a map, or a list of maps
            {<<: }           | 2:9: << must have a map, or a list of maps
            !feed {a: b}     | 2:5: cannot be read with the tag !feed
            !feed b          | 2:5: cannot be read with the tag !feed
            !!binary '@@@'   | 2:5: cannot be read with the tag tag:yaml.org,2002:binary
            !!str [a]        | 2:5: cannot be read with the tag tag:yaml.org,2002:str
            !!map a          | 2:5: cannot be read with the tag tag:yaml.org,2002:map
            <<               | 2:5: cannot be read with the tag tag:yaml.org,2002:merge
            {!x a: b}        | 2:6: cannot be read with the tag !x
            """)
    void aValueThatTheFrameworkCannotReadIsAFaultAtItsLine(String value, String fault) throws IOException {
        String yaml = "tidemark:\n a: " + value;
        assertThat(faults("feeds.yaml", yaml)).endsWith("feeds.yaml:" + fault);
        assertThatThrownBy(() -> new YamlConfigSource("feeds.yaml", yaml)).isInstanceOf(RuntimeException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{<<: {b: c}}",
                "{<<: [{b: c}]}",
                "{<<: []}",
                "!!str 5",
                "!!int abc",
                "!!bool abc",
                "!!map {}",
                "=",
                "2024-99-99",
                "! b",
                "'<<'",
                "{'<<': b}",
                "1:30",
                "0x_",
                "~"
            })
    void aValueThatTheFrameworkCanReadIsNoFault(String value) throws IOException {
        String yaml = "tidemark:\n a: " + value;
        assertThat(faults("feeds.yaml", yaml)).isEmpty();
        new YamlConfigSource("feeds.yaml", yaml);
    }

    @Test
    void aJsonFileOnlyDeclaresFeeds() throws IOException {
        assertThat(faults("feeds.json", """
                {"$schema": "feeds.schema.json",
                \t"tidemark": {"feeds": {"orders": {"table": "orders"}}},
                 "%prod": {"tidemark": {"feeds": {"orders": {"table": "orders"}}}}}
                """)).isEmpty();
        assertThat(faults("feeds.json", """
                {"tidemark": {"start-timeout": "1s"},
                 "quarkus": {},
                 "%prod": {"x": {}}}
                """).lines())
                .containsExactly(
                        directory
                                + "/feeds.json:1:15: start-timeout is not read: a JSON file can only declare feeds, under tidemark",
                        directory
                                + "/feeds.json:2:2: quarkus is not read: a JSON file can only declare feeds, under tidemark",
                        directory
                                + "/feeds.json:3:12: x is not read: a JSON file can only declare feeds, under tidemark");
    }

    @Test
    void aSlashOfJsonCanBeEscaped() {
        Map<String, String> values = Map.of("a\\/b", "a/b", "\\/\\/", "//", "\\\\/", "\\/", "\\\\\\/", "\\/", "/", "/");
        values.forEach((json, value) -> assertThat(YamlText.entries(new YamlText("f.json", "{\"a\":\t\"" + json + "\"}")
                                .documents()
                                .get(0))
                        .get("a"))
                .extracting(entry -> ((ScalarNode) entry.getValueNode()).getValue())
                .isEqualTo(value));
    }

    @Test
    void aFileThatCannotBeReadIsAFaultWithTheReason() throws IOException {
        Path latin = directory.resolve("latin.yaml");
        Files.write(latin, "größe: 1".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(ConfigFiles.faults(latin.toString()))
                .containsExactly(latin + ": cannot be read: it is not encoded in UTF-8");
        assertThat(faults("huge.yaml", "a: b # " + "x".repeat(4_000_000)))
                .endsWith("huge.yaml: cannot be read: it is larger than 3 MB");
    }

    @Test
    void aLocationThatTheFrameworkIgnoresIsAFault() throws IOException {
        assertThat(faults("feeds.toml", "")).contains("feeds.toml, which QUARKUS_CONFIG_LOCATIONS lists, is not read:");
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThat(ConfigFiles.faults(empty.toString()))
                .containsExactly(empty + ", which QUARKUS_CONFIG_LOCATIONS lists, has no file whose name ends in .yaml,"
                        + " .yml, .json, or .properties");
        assertThat(ConfigFiles.faults("file:feeds.yaml"))
                .singleElement()
                .asString()
                .contains("is not a valid URL");
    }

    /** The framework would end with a stack trace, or look for the file before the number sign. */
    @ParameterizedTest
    @ValueSource(strings = {"my feeds.yaml", "feeds].yaml", "feeds#1.json", "feeds?.yaml", "50%25.yaml"})
    void aNameThatIsNoUrlIsAFault(String name) throws IOException {
        assertThat(faults(name, "{}"))
                .endsWith(name + ", which QUARKUS_CONFIG_LOCATIONS lists, is not a valid URL; write a URL such as"
                        + " file:///etc/my%20feeds.yaml, or a path without special characters");
        assertThat(ConfigFiles.faults(directory.resolve(name).toUri().toString()))
                .isEmpty();
    }

    @Test
    void theFileOfAnActiveProfileIsChecked() throws IOException {
        faults("feeds-prod.yaml", "a: b: c");
        faults("feeds-dev.yaml", "a: b: c");
        assertThat(faults("feeds.yaml", "a: b")).contains("feeds-prod.yaml:1:5: is not valid YAML");
        Files.delete(directory.resolve("feeds-dev.yaml"));
        assertThat(ConfigFiles.faults(directory.toString())).hasSize(1);
    }

    @Test
    void theFilesOfADirectoryAreChecked() throws IOException {
        faults("feeds.yaml", "a: b: c");
        faults("README.md", "no: yaml: at all");
        assertThat(ConfigFiles.faults(directory.toString()))
                .hasSize(1)
                .allMatch(fault -> fault.contains("feeds.yaml:1:5"));
    }

    @Test
    void faultyFilesAreIgnoredIfDeclarationsAreNotNeeded() throws IOException {
        faults("broken.yaml", "tidemark: {");
        faults("settings.yaml", "quarkus: {}\ntidemark: {feeds: {}}\n");
        String kept = directory + "/settings.yaml,https://example.org/more.yaml";
        assertThat(ConfigFiles.withoutFaults(directory + "/broken.yaml," + directory + "/missing.yaml," + kept))
                .isEqualTo(kept);
    }

    @Test
    void aPropertyIsFoundAtItsLine() throws IOException {
        Path file = Files.writeString(directory.resolve("settings.yaml"), """
                # Settings
                tidemark:
                  cursor:
                    keys: [a,
                      b]
                    lifetime: 1d
                """);
        SourceLines lines = SourceLines.of(List.of(file));
        assertThat(lines.find("tidemark.cursor.keys")).contains("settings.yaml:4");
        assertThat(lines.find("tidemark.cursor.lifetime")).contains("settings.yaml:6");
        assertThat(lines.find("tidemark.cursor.key")).isEmpty();
    }

    @Test
    void linesOfAFileAreFoundEvenIfAnotherFileCannotBeRead() throws IOException {
        Path file = Files.writeString(directory.resolve("settings.yaml"), "tidemark:\n  start-timeout: 1s\n");
        Path malformed = Files.writeString(directory.resolve("other.yaml"), "tidemark: a: b\n");
        Path removed = directory.resolve("removed.yaml");
        assertThat(SourceLines.of(List.of(file, malformed, removed)).find("tidemark.start-timeout"))
                .contains("settings.yaml:2");
    }
}

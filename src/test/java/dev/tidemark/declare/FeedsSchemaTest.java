package dev.tidemark.declare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.Feed.CountPolicy;
import dev.tidemark.feed.Feed.UniversalPolicy;
import dev.tidemark.feed.Filter;
import dev.tidemark.settings.FeedSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON Schema with which editors complete and check declarations. */
class FeedsSchemaTest {

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private static final JsonNode TREE = read(Path.of("src/main/resources/dev/tidemark/feeds.schema.json"));

    private static final JsonSchema SCHEMA =
            JsonSchemaFactory.getInstance(VersionFlag.V7).getSchema(TREE);

    /** Declares a feed in which each property that is a map has a member. The members have the name of one letter. */
    private static final String MEMBERS = """
            f:
              table: t
              orders: {x: id}
              filters: {x: equals}
              derived: {x: lower(y)}
              epoch: {x: ms}
              embed: {x: {table: t, on: {x: id}, columns: id}}
              scope: {x: {in: t.id, where: {x: claim:sub}, if: x}, y: claim:tenant}
            """;

    private static JsonNode read(Path file) {
        try {
            return YAML.readTree(Files.readString(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theSchemaHasThePropertiesThatAreRead() {
        FeedSource source = FeedSource.of("feeds", MEMBERS);
        FeedProperties properties =
                new FeedProperties("feeds", source.feeds().values().iterator().next());
        Faults faults = new Faults();
        new DeclarationParser("f", properties, faults.forFeed("f")).parse();
        assertThat(faults.all()).isEmpty();
        Set<List<String>> read = properties.knownPaths().stream()
                .map(path -> path.stream()
                        .map(name -> name.length() == 1 ? "*" : name)
                        .toList())
                .collect(Collectors.toSet());

        Set<List<String>> described = new HashSet<>();
        addPaths(TREE.at("/definitions/feed"), List.of(), described);
        assertThat(described).containsExactlyInAnyOrderElementsOf(read);
    }

    private static void addPaths(JsonNode schema, List<String> parent, Set<List<String>> paths) {
        if (!parent.isEmpty()) {
            paths.add(parent);
        }
        schema.path("anyOf").forEach(form -> addPaths(form, parent, paths));
        schema.path("properties")
                .properties()
                .forEach(property -> addPaths(property.getValue(), below(parent, property.getKey()), paths));
        if (schema.path("additionalProperties").isObject()) {
            addPaths(schema.path("additionalProperties"), below(parent, "*"), paths);
        }
    }

    private static List<String> below(List<String> parent, String name) {
        List<String> path = new ArrayList<>(parent);
        path.add(name);
        return path;
    }

    @Test
    void theSchemaHasTheConstantsThatAreParsed() {
        Map.of(
                        "filters/additionalProperties/anyOf/0/enum", Faults.constantNames(Filter.Kind.class),
                        "filters/additionalProperties/anyOf/1/items/enum", Faults.constantNames(Filter.Kind.class),
                        "count/enum", Faults.constantNames(CountPolicy.Precision.class),
                        "epoch/additionalProperties/enum", Faults.constantNames(EpochType.Unit.class),
                        "universal/properties/strategy/enum", Faults.constantNames(UniversalPolicy.Strategy.class))
                .forEach((path, constants) -> {
                    JsonNode allowed = TREE.at("/definitions/feed/properties/" + path);
                    assertThat(allowed)
                            .as(path)
                            .extracting(JsonNode::asText)
                            .containsExactlyInAnyOrder(constants.split(", "));
                });
    }

    /** The files with declarations, and the blocks of YAML in the guides, which can be a part of a declaration. */
    static List<String> declared() throws IOException {
        List<String> declarations = new ArrayList<>();
        for (String file : List.of(
                "src/main/resources/application-try-it.yaml",
                "src/main/docker/example/feeds.yaml",
                "src/bench/embeds.yaml",
                "src/bench/feeds.yaml",
                "src/bench/rooms.yaml")) {
            declarations.add(Files.readString(Path.of(file)));
        }
        declarations.add(read(Path.of("src/main/kubernetes/feeds.yaml"))
                .at("/data/feeds.yaml")
                .asText());
        try (Stream<Path> guides = Files.list(Path.of("src/site/markdown"))) {
            for (Path guide :
                    Stream.concat(guides, Stream.of(Path.of("README.md"))).toList()) {
                Pattern.compile("(?ms)^```yaml\n(.*?)^```$")
                        .matcher(Files.readString(guide))
                        .results()
                        .map(block -> block.group(1))
                        .map(block -> block.startsWith("      ") ? "tidemark:\n  feeds:\n    part:\n" + block : block)
                        .forEach(declarations::add);
            }
        }
        return declarations;
    }

    @ParameterizedTest
    @MethodSource("declared")
    void declarationsOfTheGuidesAndSamplesMatchTheSchema(String yaml) throws IOException {
        assertThat(faults(yaml)).isEmpty();
    }

    private static List<String> faults(String yaml) throws IOException {
        JsonNode file = YAML.readTree(yaml);
        boolean isPart = file.at("/tidemark/feeds").has("part");
        return SCHEMA.validate(file).stream()
                .filter(message -> !isPart || !message.getType().equals("required"))
                .map(ValidationMessage::getMessage)
                .toList();
    }

    @Test
    void theGuidesHaveDeclarationsOfAllKinds() throws IOException {
        assertThat(declared()).hasSizeGreaterThan(20);
        Set<String> properties = new HashSet<>();
        for (String yaml : declared()) {
            YAML.readTree(yaml).at("/tidemark/feeds").forEach(feed -> feed.fieldNames()
                    .forEachRemaining(properties::add));
        }
        assertThat(properties).contains("table", "orders", "embed", "epoch", "scope", "universal", "delta");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {table: t, orders: {o: id}, filter: {a: text}} | property 'filter' is not defined in the schema
            {table: t}                                     | required property 'orders' not found
            {table: t, orders: {o: id}, count: many}       | does not have a value in the enumeration
            {table: t, orders: {o: id}, count-cap: 0}      | must have a minimum value of 1
            {table: t, orders: {o: id}, embed: {a: {table: u, on: {id: b}}}} | required property 'columns' not found
            {table: t, orders: {o: id}, scope: {a: tenant}} | does not match the regex pattern
            """)
    void faultsAreFound(String feed, String fault) throws IOException {
        assertThat(faults("tidemark: {feeds: {f: " + feed + "}}")).anyMatch(message -> message.contains(fault));
    }

    private static final String FEED = "tidemark: {feeds: {f: {table: t, orders: {o: id}, %s}}}";

    private static List<String> parserFaults(String yaml) {
        Faults faults = new Faults();
        DeclarationReader.read(FeedSource.inFile("feeds.yaml", yaml, List.of()), faults);
        return faults.all().stream().map(Faults.Fault::toString).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "columns: []",
                "columns: ",
                "columns: ' , '",
                "roles: []",
                "roles: ",
                "notify-on: []",
                "notify-on: ",
                "search: {}",
                "search: {scan: 2000}",
                "search: {columns: []}",
                "search: [subject]",
                "visible: ",
                "visible: ' '",
                "derived: {a: }",
                "derived: {a: ''}",
                "embed: {a: {table: u, on: {id: b}, columns: []}}",
                "embed: {a: {table: u, on: {id: b}, columns: }}",
                "embed: {a: {table: , on: {id: b}, columns: x}}",
                "scope: {a: {in: t.a, where: {b: 'claim:x'}, if: }}",
                "delta: maybe",
                "limit: 5",
                "limit: {max: 0}",
            })
    void theSchemaAndTheParserHaveOneFault(String properties) throws IOException {
        assertThat(faults(FEED.formatted(properties))).isNotEmpty();
        assertThat(parserFaults(FEED.formatted(properties))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"table: , orders: {o: id}", "table: t, orders: {o: []}", "table: t, orders: {o: }"})
    void theSchemaAndTheParserHaveOneFaultOfARequiredProperty(String properties) throws IOException {
        String yaml = "tidemark: {feeds: {f: {" + properties + "}}}";
        assertThat(faults(yaml)).isNotEmpty();
        assertThat(parserFaults(yaml)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit: {}",
                "universal: {}",
                "filters: {}",
                "derived: {}",
                "epoch: {}",
                "embed: {}",
                "key: []",
                "counts: []",
                "live-orders: []",
                "roles: [no]",
                "columns: [null]",
                "delta: True",
                "public: FALSE",
                "universal: {backward: True}",
                "visible: true",
            })
    void theSchemaAndTheParserAccept(String properties) throws IOException {
        assertThat(faults(FEED.formatted(properties))).isEmpty();
        assertThat(parserFaults(FEED.formatted(properties))).isEmpty();
    }

    @Test
    void textAsItStandsIsAccepted() throws IOException {
        assertThat(faults(
                        "tidemark: {feeds: {no: {table: on, columns: [no, null, 010, 7], orders: {off: [null], y: [a, b]},"
                                + " filters: {no: 'equals, range'}, roles: admin}}}"))
                .isEmpty();
    }
}

package dev.tidemark.declare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.settings.FeedSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and values of a YAML file, which are text as it stands, and the places of faults. */
class DeclarationReaderTest {

    private final Faults faults = new Faults();

    private FeedDeclaration read(String yaml) {
        return readAll(FeedSource.inFile("/etc/tidemark/feeds.yaml", yaml, List.of("prod")))
                .get(0);
    }

    private List<FeedDeclaration> readAll(List<FeedSource> sources) {
        return DeclarationReader.read(sources, faults);
    }

    private List<String> faults(String yaml) {
        read(yaml);
        return faults.all().stream().map(Faults.Fault::describe).toList();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "status, status",
                "'two words', two words",
                "'say \"hi\"', say \"hi\"",
                "'5\"', 5\"",
                "'back\\slash', back\\slash",
                "'\"\\\"quoted\\\"\"', \"\\\"quoted\\\"\"",
                "'\"quoted\"', \"quoted\"",
                "'a.b[0]', a.b[0]"
            })
    void aFilterCanHaveAnyCharacterInItsName(String yamlKey, String column) {
        for (String kinds : List.of("equals", "[equals, range]")) {
            String yaml = "tidemark: {feeds: {messages: {table: t, orders: {o: id}, filters: {%s: %s}}}}";
            assertThat(read(yaml.formatted(yamlKey, kinds)).filters().keySet()).containsExactly(column);
        }
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
                "0b11",
                "="
            })
    void eachWordIsTextAsKeyAndAsValueInBothStyles(String word) {
        String flow = "tidemark: {feeds: {f: {table: %1$s, columns: [id, %1$s], filters: {%1$s: equals}}}}";
        String block = """
                tidemark:
                  feeds:
                    f:
                      table:
                        %1$s
                      columns:
                        - id
                        - %1$s
                      filters:
                        %1$s: equals
                """;
        for (String quotes : new String[] {"%s", "'%s'", "\"%s\""}) {
            for (String yaml : new String[] {flow, block}) {
                FeedDeclaration feed = read(yaml.formatted(quotes.formatted(word)));
                assertThat(feed.table()).isEqualTo(word);
                assertThat(feed.columns()).containsExactly("id", word);
                assertThat(feed.filters()).containsOnlyKeys(word);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x: &common {filters: {no: equals}}\ntidemark: {feeds: {off: {<<: *common}}}",
                "x: &common {filters: {no: equals}}\ntidemark: {feeds: {off: {<<: [*common, {filters: {yes: no}}]}}}",
                "x: &filters {no: equals}\ntidemark: {feeds: {off: {filters: *filters}}}",
                "x: &no no\ntidemark: {feeds: {off: {filters: {*no : &on equals}}}}",
                "x: &feeds {off: {filters: {no: equals}}}\ntidemark: {feeds: *feeds}",
                "x: &root {feeds: {off: {filters: {no: equals}}}}\ntidemark: {<<: *root}",
                "<<: {tidemark: {feeds: {off: {filters: {no: equals}}}}}",
                "tidemark: {feeds: {off: {filters: !!map {!!bool no: !!str equals}}}}",
                "%YAML 1.1\n---\nx: 1\n---\ntidemark: {feeds: {? off : {filters: {? no : equals}}}}",
                "'%prod': {tidemark: {feeds: {off: {filters: {no: equals}}}}}",
                "{\"tidemark\": {\"feeds\": {\"off\": {\"filters\": {\"no\": \"equals\"}}}}}",
            })
    void anchorsMergesTagsAndSectionsOfProfilesChangeNothing(String yaml) {
        FeedDeclaration feed = read(yaml);
        assertThat(feed.name()).isEqualTo("off");
        assertThat(feed.filters()).containsOnlyKeys("no");
    }

    @Test
    void everyCharacterOfAConditionStays() {
        String sql = "a = 'x: ${y}' -- #\\n\n\n    AND \"no\" > 'é😀\t' \n  ";
        String yaml = "tidemark: {feeds: {f: {visible: \"%s\"}}}"
                .formatted(sql.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
        assertThat(read(yaml).visible()).contains(sql.strip());
    }

    @Test
    void aFaultIsAtTheLineOfItsPropertyOrOfWhatItWouldStandIn() {
        assertThat(faults("""
                # Feeds
                tidemark:
                  feeds:
                    orders:
                      table: public.orders
                      columns: [id,
                        id]
                      filters:
                        a.b:
                          text
                      limits: {max: 5}
                      limit: {mx: 5}
                      count: [exact]
                """))
                .containsExactlyInAnyOrder(
                        "columns (feeds.yaml:6): lists a column twice",
                        "orders (feeds.yaml:4): is missing: declare at least one, such as newest: created_at desc",
                        "filters.a.b (feeds.yaml:9): a filter column's name must not contain a dot",
                        "limits.max (feeds.yaml:11): unknown property; the nearest name is limit",
                        "limit.mx (feeds.yaml:12): unknown property; the nearest name is max",
                        "count (feeds.yaml:13): a list or a map stands where a value is expected");
    }

    @Test
    void aPropertyWithoutAValueIsEmptyAndNotMissing() {
        assertThat(faults("tidemark: {feeds: {f: {table: t, orders: {o: id}, visible: , roles: , scope: {}}}}"))
                .containsExactlyInAnyOrder(
                        "visible (feeds.yaml:1): must not be empty; omit it to show all rows",
                        "roles (feeds.yaml:1): must not be empty; omit it if no role is required",
                        "scope (feeds.yaml:1): must map columns to claims, such as tenant_id: \"claim:tenant\"");
    }

    /** Rather than all columns, which the omitted list selects. */
    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "''", "\"  \"", "[ '' ]", "','", "{}", "\n      # - id"})
    void anEmptyListOfColumnsIsAFault(String columns) {
        assertThat(faults("tidemark:\n  feeds:\n    f:\n      table: t\n      orders: {o: id}\n      columns: "
                        + columns))
                .containsExactly(
                        "columns (feeds.yaml:6): must be a list of at least one column; omit it to show all columns");
    }

    @Test
    void aFeedThatIsDeclaredTwiceIsAFault() {
        List<FeedSource> sources = Stream.of("feeds.yaml", "more.yaml")
                .flatMap(file ->
                        FeedSource.inFile(file, "tidemark:\n  feeds:\n    f: {table: t, orders: {o: id}}", List.of())
                                .stream())
                .toList();
        assertThat(readAll(sources)).hasSize(1);
        assertThat(faults.all())
                .singleElement()
                .extracting(Faults.Fault::describe)
                .isEqualTo("feed (feeds.yaml:3): is declared twice; the other declaration is at more.yaml:3");
    }
}

package dev.tidemark.declare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.settings.FeedText;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of columns as the keys of a YAML file. */
class DeclarationReaderTest {

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "status, status",
                "'two words', two words",
                "'say \"hi\"', say \"hi\"",
                "'5\"', 5\"",
                "'back\\slash', back\\slash",
                "'\"\\\"quoted\\\"\"', \"quoted\"",
                "'\"quoted\"', quoted"
            })
    void aFilterCanHaveAnyCharacterInItsName(String yamlKey, String column) {
        assertThat(filtersOf(yamlKey + ": equals")).containsExactly(column);
        assertThat(filtersOf(yamlKey + ": [equals, range]")).containsExactly(column);
    }

    @Test
    void anIndexAfterAQuotedNameIsNoPartOfIt() {
        assertThat(DeclarationReader.splitPath("feed.columns[0]")).isEqualTo(List.of("feed", "columns[0]"));
        assertThat(DeclarationReader.splitPath("feed.filters.\"a.b\"[10]"))
                .isEqualTo(List.of("feed", "filters", "a.b[10]"));
    }

    private static Set<String> filtersOf(String filters) {
        String yaml = "tidemark: {feeds: {messages: {table: t, orders: {o: id}, filters: {%s}}}}".formatted(filters);
        Map<String, String> properties = new SmallRyeConfigBuilder()
                .withConverter(Duration.class, 200, new DurationConverter())
                .withSources(FeedText.source("feeds.yaml", yaml))
                .withMapping(FeedsConfig.class)
                .build()
                .getConfigMapping(FeedsConfig.class)
                .feeds();
        return DeclarationReader.read(properties, new Faults()).get(0).filters().keySet();
    }
}

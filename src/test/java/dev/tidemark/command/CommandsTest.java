package dev.tidemark.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.FeedsText;
import dev.tidemark.cursor.CursorConfig;
import dev.tidemark.cursor.Sealers;
import dev.tidemark.declare.DeclaredFeeds;
import dev.tidemark.declare.FeedCheck;
import dev.tidemark.declare.FeedsConfig;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.postgres.catalogue.PgInventory;
import dev.tidemark.propose.Proposals;
import dev.tidemark.settings.UnmappedFeeds;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.source.yaml.YamlConfigSource;
import io.vertx.mutiny.sqlclient.Pool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands print, and their exit status. CommandsIT runs them as they are deployed. */
@UsesTestDatabase
class CommandsTest {

    private static final TestDatabase DATABASE = TestDatabase.empty();

    @TempDir
    Path directory;

    @BeforeAll
    static void makeSchemas() throws IOException {
        for (String schema : List.of("rentals", "music")) {
            DATABASE.run(Files.readString(Path.of("src/test/resources/schemas", schema + ".sql")));
        }
    }

    @AfterAll
    static void closeDatabase() {
        DATABASE.close();
    }

    private record Result(int status, String out, String err) {}

    private static Result propose(String... arguments) {
        return run(DATABASE, config(Map.of()), arguments("propose", arguments));
    }

    private static Result check(Map<String, String> settings, String... arguments) {
        return run(DATABASE, config(settings), arguments("check", arguments));
    }

    private static Arguments arguments(String command, String... more) {
        return Arguments.parse(
                Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new));
    }

    private static Result run(TestDatabase database, SmallRyeConfig config, Arguments arguments) {
        FeedsConfig feeds = config.getConfigMapping(FeedsConfig.class);
        FeedCheck check = DeclaredFeeds.newFeedCheck(database.catalogue());
        CommandRunner runner = new CommandRunner(
                new String[0],
                () -> new ProposeCommand(
                        new Proposals(
                                database.catalogue(),
                                new PgInventory(new Pool(database.pool()), database.catalogue()),
                                check),
                        check,
                        feeds),
                () -> new CheckCommand(feeds, check, database.catalogue(), () -> Sealers.configured(config), config));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = runner.run(
                arguments,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Result(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static SmallRyeConfig config(Map<String, String> settings) {
        return builder(settings).build();
    }

    private static SmallRyeConfigBuilder builder(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withConverter(Duration.class, 200, new DurationConverter())
                .withMapping(FeedsConfig.class)
                .withMapping(CursorConfig.class)
                .withCustomizers(new UnmappedFeeds())
                .withSources(new PropertiesConfigSource(FeedsText.collect(settings), "settings", 100));
    }

    private Result checkFile(String name, String yaml, String... arguments) throws IOException {
        Path file = Files.writeString(directory.resolve(name), yaml);
        SmallRyeConfig config = builder(Map.of("quarkus.config.locations", file.toString()))
                .withSources(new YamlConfigSource(file.toUri().toURL()))
                .build();
        return run(DATABASE, config, arguments("check", arguments));
    }

    @Test
    void everyFeedOfAProposalPassesTheCheckUnchanged() throws IOException {
        Result proposed = propose();
        assertThat(proposed.status()).isZero();
        assertThat(proposed.err()).isEmpty();

        Result checked = checkFile("feeds.yaml", proposed.out(), "--json");
        assertThat(checked.status()).isZero();
        JsonDocument json = JsonDocument.of(checked.out());
        assertThat(json.getList("faults")).isEmpty();
        assertThat(json.getList("feeds")).contains("film", "payment", "film_list", "rentals_by_day", "Invoice");
    }

    @Test
    void aProposalIsRestrictedToTheNamedTablesAndRole() {
        Result proposed = propose("--role", "Feed Reader", "rentals.film", "\"Music\".\"Artist\"");
        assertThat(proposed.status()).isZero();
        assertThat(proposed.out())
                .contains("\n    film:\n", "\n    Artist:\n", "GRANT USAGE ON SCHEMA rentals TO \"Feed Reader\";\n")
                .doesNotContain("customer", "TO tidemark");

        Result selected = propose("--schema", "rentals", "--tables=film,sta*");
        assertThat(selected.status()).isZero();
        // The staff have mail addresses, so their feed is a comment.
        assertThat(selected.out().lines().map(line -> line.replace("#", "").strip()))
                .filteredOn(line -> line.startsWith("table: "))
                .containsExactly("table: rentals.film", "table: rentals.staff");
    }

    @Test
    void aProposalForAnUnknownSchemaOrTableIsRejectedWithTheNearestName() {
        assertThatThrownBy(() -> propose("--schema=rental"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("There is no schema rental with a table or view that the database role may read;"
                        + " the nearest name is rentals.");
        assertThatThrownBy(() -> propose("rentals.films"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("There is no table or view rentals.films; the nearest name is rentals.film.");
    }

    @Test
    void aCommandIsRejectedIfTheDatabaseCannotBeReached() {
        TestDatabase away = TestDatabase.over("postgresql://localhost:1/nowhere", "postgres");
        try {
            SmallRyeConfig config = config(Map.of("tidemark.start-timeout", "0.1s"));
            for (String command : List.of("propose", "check")) {
                assertThatThrownBy(() -> run(away, config, arguments(command)))
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining("because of the database: ");
            }
        } finally {
            away.close();
        }
    }

    private static Map<String, String> filmSettings(String... more) {
        Map<String, String> settings = new HashMap<>();
        settings.put("tidemark.feeds.films.table", "rentals.film");
        settings.put("tidemark.feeds.films.orders.edited", "last_update desc");
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    @Test
    void warningsFailOnlyAStrictCheck() {
        Result checked = check(filmSettings());
        assertThat(checked.status()).as(checked.err()).isZero();
        assertThat(checked.out())
                .contains(
                        "feed films\n",
                        "  warning: no index serves order edited\n"
                                + "    CREATE INDEX CONCURRENTLY IF NOT EXISTS film_last_update_film_id_idx_aea1d34e ON rentals.film (last_update DESC, film_id DESC);\n",
                        "  warning: order edited seems to sort by time of last edit.",
                        "  warning: role postgres has SUPERUSER on rentals.film;")
                .endsWith("\nno faults, 3 warnings\n");

        Result strict = check(filmSettings(), "--strict", "--json");
        assertThat(strict.status()).isEqualTo(1);
        JsonDocument json = JsonDocument.of(strict.out());
        assertThat(json.getList("feeds")).containsExactly("films");
        assertThat(json.getList("faults")).isEmpty();
        assertThat(json.getList("warnings.kind")).containsExactly("missing_index", "order_not_live", "privileges");
        assertThat(json.getString("warnings[0].script")).startsWith("CREATE INDEX CONCURRENTLY IF NOT EXISTS film_");
    }

    @Test
    void aCheckCanPrintOnlyTheSqlOfMissingIndexesWithoutDuplicates() {
        Map<String, String> twice = filmSettings(
                "tidemark.feeds.also.table", "rentals.film", "tidemark.feeds.also.orders.edited", "last_update desc");
        Result checked = check(twice, "--sql", "--strict");
        assertThat(checked.status()).isEqualTo(1);
        assertThat(checked.out()).isEqualTo("""
                -- feed also: no index serves order edited
                -- feed films: no index serves order edited
                CREATE INDEX CONCURRENTLY IF NOT EXISTS film_last_update_film_id_idx_aea1d34e ON rentals.film (last_update DESC, film_id DESC);
                """);
        assertThat(checked.err())
                .contains("feed films\n  warning: no index serves order edited\n  warning: order edited seems")
                .doesNotContain("CREATE INDEX")
                .endsWith("\nno faults, 6 warnings\n");
    }

    @Test
    void aCheckPrintsAllFaultsAndExplainsTheOtherFeeds() {
        Result checked = check(
                filmSettings("tidemark.feeds.staff.table", "rentals.staf", "tidemark.cursor.keys", "c2hvcnQ="),
                "--explain");
        assertThat(checked.status()).isEqualTo(2);
        assertThat(checked.out())
                .contains("settings\n  fault: ", "tidemark.cursor.keys")
                .contains(
                        "feed staff\n  fault: orders (TIDEMARK_FEEDS:1): is missing",
                        "  fault: table (TIDEMARK_FEEDS:1): there is no table or view 'rentals.staf'")
                .contains(
                        "\nfeed films, order edited, next page: no index provides the order\n  (SELECT ",
                        "\n    Limit  (cost=")
                .endsWith("\n3 faults, 3 warnings\n");

        Result none = check(Map.of(), "--json");
        assertThat(none.status()).isEqualTo(2);
        assertThat(JsonDocument.of(none.out()).getString("faults[0].message")).contains("no feed is declared");
    }

    @Test
    void theKeyOfAViewIsVerifiedOnDemand() {
        Map<String, String> settings = new HashMap<>();
        settings.put("tidemark.feeds.list.table", "rentals.customer_list");
        settings.put("tidemark.feeds.list.key", "id");
        settings.put("tidemark.feeds.list.orders.o", "id");
        settings.put("tidemark.feeds.notes.table", "rentals.customer_list");
        settings.put("tidemark.feeds.notes.key", "notes");
        settings.put("tidemark.feeds.notes.orders.o", "notes");
        assertThat(check(settings).status()).isZero();

        Result text = check(settings, "--verify-keys");
        assertThat(text.status()).isEqualTo(2);
        assertThat(text.out())
                .contains(
                        "feed list, key verified\n",
                        "feed notes\n  fault: key: does not identify the rows, so pages can skip some: ",
                        " of (notes) identif");
        Result json = check(settings, "--verify-keys=30s", "--json");
        assertThat(json.status()).isEqualTo(2);
        assertThat(JsonDocument.of(json.out()).getList("faults.kind")).containsExactly("key");
        assertThat(JsonDocument.of(json.out()).getList("verified_keys")).containsExactly("list");
    }

    @Test
    void aFaultNamesItsLineAndTheNearestName() throws IOException {
        Result checked = checkFile("faulty.yaml", """
                tidemark:
                  feeds:
                    films:
                      table: rentals.film
                      orders:
                        newest: film_idd desc
                      filter: {rating: equals}
                """);
        assertThat(checked.status()).isEqualTo(2);
        assertThat(checked.out())
                .contains(
                        "  fault: filter.rating (faulty.yaml:7): unknown property; the nearest name is filters\n",
                        "  fault: orders.newest (faulty.yaml:6): there is no column 'film_idd' in rentals.film;"
                                + " the nearest name is film_id; its columns are film_id, title,");
    }
}

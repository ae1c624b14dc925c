package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.local.TestPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the deployed package, as they are run in a terminal or a pipeline. This test class takes the longest,
 * so it is started first.
 */
@Order(1)
@Timeout(120)
class CommandsIT {

    @TempDir
    static Path directory;

    private static String database;

    @BeforeAll
    static void makeDatabase() throws SQLException, IOException {
        database = TestPostgres.newDatabase();
        try (Connection connection = DriverManager.getConnection("jdbc:" + database, "postgres", "")) {
            for (String schema : List.of("rentals", "music")) {
                connection
                        .createStatement()
                        .execute(Files.readString(Path.of("src/test/resources/schemas", schema + ".sql")));
            }
        }
    }

    private record Result(int status, String out, String err) {}

    private static Result run(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = DeployedPackage.quickProcess();
        builder.command().addAll(List.of(arguments));
        builder.environment().putAll(environment);
        Path out = Files.createTempFile(directory, "out", "");
        Path err = Files.createTempFile(directory, "err", "");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }

    private static Map<String, String> settings() {
        return new HashMap<>(
                Map.of("QUARKUS_DATASOURCE_REACTIVE_URL", database, "QUARKUS_DATASOURCE_USERNAME", "postgres"));
    }

    @Test
    void proposedFeedsAreServedUnchanged() throws Exception {
        // These ports are in use, as on a machine on which a server runs.
        try (ServerSocket web = new ServerSocket(0);
                ServerSocket management = new ServerSocket(0)) {
            Map<String, String> settings = settings();
            settings.put("QUARKUS_HTTP_PORT", Integer.toString(web.getLocalPort()));
            settings.put("QUARKUS_MANAGEMENT_PORT", Integer.toString(management.getLocalPort()));
            // Many containers have this locale.
            settings.put("LC_ALL", "C");
            Result proposed = run(settings, "propose");
            assertThat(proposed.err()).isEmpty();
            assertThat(proposed.status()).isZero();

            Path feeds = Files.writeString(directory.resolve("feeds.yaml"), proposed.out());
            Map<String, String> served = settings();
            served.put("QUARKUS_CONFIG_LOCATIONS", feeds.toString());
            try (DeployedServer server = new DeployedServer(served).awaitReady()) {
                List<String> names = JsonDocument.of(server.get("/api").body()).getList("feeds.name");
                assertThat(names).contains("film", "payment", "film_list", "rentals_by_day", "Invoice");
                for (String name : names) {
                    assertThat(walk(server, name)).as(name).isPositive();
                }
            }
        }
    }

    /**
     * Scrolls through a feed over the universal protocol, which also serves feeds without a key, and returns the number
     * of its rows.
     */
    private static int walk(DeployedServer server, String feed) throws IOException, InterruptedException {
        List<Object> rows = new ArrayList<>();
        String after = "";
        do {
            JsonDocument page = JsonDocument.of(
                    server.get("/v3/" + feed + "?limit=50" + after).body());
            rows.addAll(page.getList("result.rows"));
            after = page.getString("result.paging.next") == null
                    ? null
                    : "&after=" + page.getString("result.paging.next");
        } while (after != null);
        assertThat(Set.copyOf(rows)).as(feed).hasSameSizeAs(rows);
        return rows.size();
    }

    @Test
    void aProposalIsRestrictedToTheNamedTablesAndRole() throws Exception {
        Result proposed = run(settings(), "propose", "--role", "Feed Reader", "rentals.film", "\"Music\".\"Artist\"");
        assertThat(proposed.status()).isZero();
        assertThat(proposed.out())
                .contains("\n    film:\n", "\n    Artist:\n", "GRANT USAGE ON SCHEMA rentals TO \"Feed Reader\";\n")
                .doesNotContain("customer", "TO tidemark");

        Result selected = run(settings(), "propose", "--schema", "rentals", "--tables=film,sta*");
        assertThat(selected.status()).isZero();
        // The staff have mail addresses, so their feed is a comment.
        assertThat(selected.out().lines().map(line -> line.replace("#", "").strip()))
                .filteredOn(line -> line.startsWith("table: "))
                .containsExactly("table: rentals.film", "table: rentals.staff");
        Result unknown = run(settings(), "propose", "--schema=rental");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.err())
                .isEqualTo("There is no schema rental with a table or view that the database role may read;"
                        + " the nearest name is rentals.\n");
        Result unnamedTables = run(settings(), "propose", "--tables", "--schema=rentals");
        assertThat(unnamedTables.status()).isEqualTo(2);
        assertThat(unnamedTables.err()).startsWith("--tables needs a name");

        for (List<String> rejected : List.of(List.of("--role"), List.of("--role", "public"), List.of("--role="))) {
            Result unnamed = run(
                    settings(),
                    Stream.concat(Stream.of("propose"), rejected.stream()).toArray(String[]::new));
            assertThat(unnamed.status()).isEqualTo(2);
            assertThat(unnamed.err()).startsWith("--role needs the name of a role");
        }
    }

    /** For example, {@code propose > feeds.yaml} empties the configured file before the command reads it. */
    @Test
    void faultyConfigurationFilesDoNotPreventAProposal() throws Exception {
        Path broken = Files.writeString(directory.resolve("half.yaml"), "tidemark:\n  feeds: {\n");
        Path empty = Files.writeString(directory.resolve("empty.yaml"), "");
        Path unresolved = Files.writeString(
                directory.resolve("unresolved.yaml"),
                "tidemark:\n  feeds:\n    film: {table: '${NO_SUCH}', no: such}\n");
        Map<String, String> settings = settings();
        settings.put("QUARKUS_CONFIG_LOCATIONS", "missing.yaml," + broken + "," + empty + "," + unresolved);

        Result proposed = run(settings, "propose", "rentals.film");
        assertThat(proposed.status()).as(proposed.err()).isZero();
        assertThat(proposed.out()).contains("\n    film:\n");
        assertThat(proposed.err())
                .contains("Ignored: there is no file missing.yaml", "Ignored: " + broken + ":3:1: is not valid YAML: ");
    }

    @Test
    void aCommandThatCannotRunPrintsTheReasonWithoutAStackTrace() throws Exception {
        Map<String, String> away = settings();
        away.put("QUARKUS_DATASOURCE_REACTIVE_URL", "postgresql://localhost:1/nowhere");
        Result unreachable = run(away, "propose");
        assertThat(unreachable.status()).isEqualTo(2);
        assertThat(unreachable.out()).isEmpty();
        assertThat(unreachable.err()).contains("because of the database: ").doesNotContain("\tat ");

        Result unknown = run(settings(), "propose", "rentals.films");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.err())
                .isEqualTo("There is no table or view rentals.films; the nearest name is rentals.film.\n");

        Result unset = run(Map.of(), "propose");
        assertThat(unset.status()).isEqualTo(2);
        assertThat(unset.err()).startsWith("Tidemark has no database: set QUARKUS_DATASOURCE_REACTIVE_URL");
    }

    private static Map<String, String> filmSettings(String... more) {
        Map<String, String> settings = settings();
        settings.put("TIDEMARK_FEEDS_FILMS_TABLE", "rentals.film");
        settings.put("TIDEMARK_FEEDS_FILMS_ORDERS_EDITED", "last_update desc");
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    @Test
    void warningsFailOnlyAStrictCheck() throws Exception {
        Result checked = run(filmSettings(), "check");
        assertThat(checked.status()).as(checked.err()).isZero();
        assertThat(checked.out())
                .contains(
                        "feed films\n",
                        "  warning: no index serves order edited\n"
                                + "    CREATE INDEX CONCURRENTLY IF NOT EXISTS film_last_update_film_id_idx_aea1d34e ON rentals.film (last_update DESC, film_id DESC);\n",
                        "  warning: order edited seems to sort by time of last edit.",
                        "  warning: role postgres has SUPERUSER on rentals.film;")
                .endsWith("\nno faults, 3 warnings\n");

        Result strict = run(filmSettings(), "check", "--strict", "--json");
        assertThat(strict.status()).isEqualTo(1);
        JsonDocument json = JsonDocument.of(strict.out());
        assertThat(json.getList("feeds")).containsExactly("films");
        assertThat(json.getList("faults")).isEmpty();
        assertThat(json.getList("warnings.kind")).containsExactly("missing_index", "order_not_live", "privileges");
        assertThat(json.getString("warnings[0].script")).startsWith("CREATE INDEX CONCURRENTLY IF NOT EXISTS film_");
    }

    @Test
    void aCheckCanPrintOnlyTheSqlOfMissingIndexesWithoutDuplicates() throws Exception {
        Map<String, String> twice = filmSettings(
                "TIDEMARK_FEEDS_ALSO_TABLE", "rentals.film", "TIDEMARK_FEEDS_ALSO_ORDERS_EDITED", "last_update desc");
        Result checked = run(twice, "check", "--sql", "--strict");
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

        Result both = run(filmSettings(), "check", "--sql", "--json");
        assertThat(both.status()).isEqualTo(2);
        assertThat(both.err()).startsWith("check takes --json or --sql, but not both.");
    }

    @Test
    void aCheckPrintsAllFaultsAndExplainsTheOtherFeeds() throws Exception {
        Result checked = run(
                filmSettings("TIDEMARK_FEEDS_STAFF_TABLE", "rentals.staf", "TIDEMARK_CURSOR_KEYS", "c2hvcnQ="),
                "check",
                "--explain");
        assertThat(checked.status()).isEqualTo(2);
        assertThat(checked.out())
                .contains("settings\n  fault: ", "tidemark.cursor.keys")
                .contains(
                        "feed staff\n  fault: orders: is missing",
                        "  fault: table: there is no table or view 'rentals.staf'")
                .contains(
                        "\nfeed films, order edited, next page: no index provides the order\n  (SELECT ",
                        "\n    Limit  (cost=")
                .endsWith("\n3 faults, 3 warnings\n");

        Result none = run(settings(), "check", "--json");
        assertThat(none.status()).isEqualTo(2);
        assertThat(JsonDocument.of(none.out()).getString("faults[0].message")).contains("no feed is declared");
    }

    @Test
    void theKeyOfAViewIsVerifiedOnDemand() throws Exception {
        Map<String, String> settings = settings();
        settings.put("TIDEMARK_FEEDS_LIST_TABLE", "rentals.customer_list");
        settings.put("TIDEMARK_FEEDS_LIST_KEY", "id");
        settings.put("TIDEMARK_FEEDS_LIST_ORDERS_O", "id");
        settings.put("TIDEMARK_FEEDS_NOTES_TABLE", "rentals.customer_list");
        settings.put("TIDEMARK_FEEDS_NOTES_KEY", "notes");
        settings.put("TIDEMARK_FEEDS_NOTES_ORDERS_O", "notes");
        assertThat(run(settings, "check").status()).isZero();

        Result text = run(settings, "check", "--verify-keys");
        assertThat(text.status()).isEqualTo(2);
        assertThat(text.out())
                .contains(
                        "feed list, key verified\n",
                        "feed notes\n  fault: key: does not identify the rows, so pages can skip some: ",
                        " of (notes) identif");
        Result json = run(settings, "check", "--verify-keys=30s", "--json");
        assertThat(json.status()).isEqualTo(2);
        assertThat(JsonDocument.of(json.out()).getList("faults.kind")).containsExactly("key");
        assertThat(JsonDocument.of(json.out()).getList("verified_keys")).containsExactly("list");

        Result malformed = run(settings, "check", "--verify-keys=soon");
        assertThat(malformed.status()).isEqualTo(2);
        assertThat(malformed.err())
                .startsWith("--verify-keys needs a time of up to 24h, such as 30s or 10m, but got soon.");
        assertThat(run(settings, "check", "--verify-keys=").err()).startsWith("--verify-keys needs a time");
    }

    @Test
    void aFaultNamesItsLineAndTheNearestName() throws Exception {
        Path feeds = Files.writeString(directory.resolve("faulty.yaml"), """
                tidemark:
                  feeds:
                    films:
                      table: rentals.film
                      orders:
                        newest: film_idd desc
                      filter: {rating: equals}
                """);
        Map<String, String> settings = settings();
        settings.put("QUARKUS_CONFIG_LOCATIONS", feeds.toUri().toString());
        Result checked = run(settings, "check");
        assertThat(checked.status()).isEqualTo(2);
        assertThat(checked.out())
                .contains(
                        "  fault: filter.rating (faulty.yaml:7): unknown property; the nearest name is filters\n",
                        "  fault: orders.newest (faulty.yaml:6): there is no column 'film_idd' in rentals.film;"
                                + " the nearest name is film_id; its columns are film_id, title,");
    }

    @Test
    void aFaultyFileOrVariableStopsTheStartWithoutAStackTrace() throws Exception {
        Path feeds = Files.writeString(directory.resolve("broken.yaml"), "tidemark:\n  feeds: {\n");
        Map<String, String> settings = settings();
        settings.put("QUARKUS_CONFIG_LOCATIONS", feeds + ",file:///nowhere/feeds.yaml");
        settings.put("TIDEMARK_STATEMENT_TIMOUT", "1s");
        Result started = run(settings);
        assertThat(started.status()).isEqualTo(1);
        assertThat(started.out()).isEmpty();
        assertThat(started.err())
                .contains("Tidemark cannot start: " + feeds + ":3:1: is not valid YAML: ")
                .contains("Tidemark cannot start: there is no file file:///nowhere/feeds.yaml, which")
                .contains(
                        "there is no setting TIDEMARK_STATEMENT_TIMOUT; the nearest name is TIDEMARK_STATEMENT_TIMEOUT")
                .doesNotContain("\tat ");
    }

    @Test
    void aWrongValueIsReportedWithItsLocationAndTheExpectedType() throws Exception {
        Path feeds = Files.writeString(directory.resolve("values.yaml"), """
                tidemark:
                  statement-timeout: soon
                  feeds:
                    films:
                      table: rentals.${NO_SUCH}
                      orders: {newest: film_id desc}
                """);
        Map<String, String> settings = settings();
        settings.put("QUARKUS_CONFIG_LOCATIONS", feeds.toString());
        settings.put("TIDEMARK_FREE_CONNECTIONS", "few");
        settings.put("TIDEMARK_MAX_PAGE_BYTES", "16MB");
        for (String[] arguments : new String[][] {{}, {"check"}}) {
            Result run = run(settings, arguments);
            assertThat(run.status()).isEqualTo(arguments.length == 0 ? 1 : 2);
            assertThat(run.out()).isEmpty();
            // The records that libraries log before the log is configured are printed when the process ends.
            assertThat(run.err().lines().filter(line -> line.startsWith("Tidemark")))
                    .containsExactlyInAnyOrder(
                            "Tidemark cannot start: tidemark.statement-timeout (values.yaml:2) is \"soon\", but must be a duration, such as 500ms, 5s, or 1h",
                            "Tidemark cannot start: tidemark.feeds.films.table (values.yaml:5) refers to ${NO_SUCH}, but there is no environment variable or property with this name",
                            "Tidemark cannot start: TIDEMARK_MAX_PAGE_BYTES is \"16MB\", but must be a number of bytes, such as 64K or 16M",
                            "Tidemark cannot start: TIDEMARK_FREE_CONNECTIONS is \"few\", but must be a whole number");
            assertThat(run.err()).doesNotContain("SRCFG", "\tat ");
        }

        Map<String, String> bounds = filmSettings("TIDEMARK_STATEMENT_TIMEOUT", "5ms", "TIDEMARK_FEEDS_RELOAD", "ture");
        assertThat(run(bounds).err().lines())
                .containsExactlyInAnyOrder(
                        "Tidemark cannot start: TIDEMARK_STATEMENT_TIMEOUT is \"5ms\", but must be from 10ms to 1h",
                        "Tidemark cannot start: TIDEMARK_FEEDS_RELOAD is \"ture\", but must be true or false");
    }

    @Test
    void aMalformedFileInTheWorkingDirectoryIsReportedWithItsLine() throws Exception {
        Path config = Files.createDirectories(directory.resolve("malformed/config"));
        Files.writeString(config.resolve("application.yaml"), "tidemark:\n  feeds: [a\n");
        Path out = config.resolve("out");
        Process process = DeployedPackage.process()
                .directory(config.getParent().toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(Files.readString(out))
                .startsWith("Tidemark cannot start: config/application.yaml:3:1: is not valid YAML: ");
    }

    /**
     * The framework reads this malformed file, because SMALLRYE_CONFIG_LOCATIONS lists it; Tidemark does not check it.
     */
    @Test
    void aFailureBeforeTheLogIsConfiguredIsPrinted() throws Exception {
        Path broken = Files.writeString(directory.resolve("unknown.yaml"), "tidemark:\n  feeds: [a\n");
        Result result = run(Map.of("SMALLRYE_CONFIG_LOCATIONS", broken.toString()), "check");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("expected ',' or ']'");
    }

    @Test
    void anUnknownCommandPrintsTheUsage() throws Exception {
        Result unknown = run(settings(), "porpose");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.out()).isEmpty();
        assertThat(unknown.err()).startsWith("There is no command porpose.").contains("Usage:");

        Result help = run(Map.of(), "--help");
        assertThat(help.status()).isZero();
        assertThat(help.out()).startsWith("Usage:");
    }
}

package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.events.EventClient;
import dev.tidemark.local.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A forum from the proposal to an open page: its lists show rows of several tables, and stay true. */
@Order(2)
@Timeout(120)
class ForumIT {

    @TempDir
    Path directory;

    private final String database = TestPostgres.newDatabase();

    @Test
    void proposedFeedsListPostsWithAuthorAndCommunityAndShowARenameAtOnce() throws Exception {
        execute(Files.readString(Path.of("src/test/resources/schemas/forum.sql")));
        String proposed = propose();
        runOwnerSql(proposed);

        Map<String, String> settings = settings();
        settings.put(
                "QUARKUS_CONFIG_LOCATIONS",
                Files.writeString(
                                directory.resolve("feeds.yaml"),
                                // As the comment suggests, for clients that keep what they have read.
                                proposed.replaceAll("(?m)^      # delta: true .*$", "      delta: true")
                                        // The forum is open to everybody.
                                        .replaceAll("(?m)^      scope: .*$", "      public: true")
                                        .replaceAll("(?m)^        # (creator|community): ", "        $1: "))
                        .toString());
        try (DeployedServer server = new DeployedServer(settings).awaitReady()) {
            assertThat(JsonDocument.of(server.get("/api").body()).getList("feeds.name"))
                    .contains("post", "post_counts", "person", "community", "community_follower")
                    .doesNotContain(
                            "account", "login_token", "private_message", "site_settings", "diesel_schema_migrations");

            JsonDocument newest =
                    JsonDocument.of(server.get("/api/post?order=newest&limit=2").body());
            assertThat(newest.getList("items.title")).containsExactly("Post 1000", "Post 999");
            assertThat(newest.getList("items.creator.name")).containsExactly("person1", "person20");
            assertThat(newest.getList("items.community.title")).containsExactly("Community 1", "Community 10");

            JsonDocument mostCommented = JsonDocument.of(
                    server.get("/api/post_counts?order=top-comments&limit=3").body());
            assertThat(mostCommented.getList("items.comments")).containsExactly(400, 400, 399);
            assertThat(mostCommented.getList("items.post.title")).containsExactly("Post 630", "Post 229", "Post 859");
            assertThat(mostCommented.getList("items.creator.name")).containsExactly("person11", "person10", "person20");
            assertThat(mostCommented.getList("items.community.title"))
                    .containsExactly("Community 1", "Community 10", "Community 10");

            try (EventClient byDate = live(server, "/api/post/live?order=newest&limit=30");
                    EventClient byComments = live(server, "/api/post_counts/live?order=top-comments&limit=30")) {
                assertThat(byDate.nextEvent().name()).isEqualTo("page");
                assertThat(byComments.nextEvent().name()).isEqualTo("page");
                execute("UPDATE forum.person SET display_name = 'Ada' WHERE name = 'person11'");

                for (EventClient client : List.of(byDate, byComments)) {
                    EventClient.Event event = client.nextEvent();
                    assertThat(event.name()).isEqualTo("change");
                    assertThat(event.json().getList("placed")).isEmpty();
                    assertThat(event.json().getList("items.creator.display_name"))
                            .isNotEmpty()
                            .containsOnly("Ada");
                }
            }
        }
    }

    private static EventClient live(DeployedServer server, String target) {
        return EventClient.openAsync(server.port(), target)
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    private String propose() throws Exception {
        ProcessBuilder builder = DeployedPackage.quickProcess();
        builder.command().add("propose");
        builder.environment().putAll(settings());
        Path out = directory.resolve("proposed.yaml");
        Path err = directory.resolve("err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        return Files.readString(out);
    }

    /** Runs the proposed statements for indexes and triggers. The grants need the role that psql creates. */
    private void runOwnerSql(String proposed) throws SQLException {
        for (String line : proposed.lines().toList()) {
            if (line.startsWith("#: CREATE ")) {
                execute(line.substring(3));
            }
        }
    }

    private Map<String, String> settings() {
        return new HashMap<>(
                Map.of("QUARKUS_DATASOURCE_REACTIVE_URL", database, "QUARKUS_DATASOURCE_USERNAME", "postgres"));
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:" + database, "postgres", "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

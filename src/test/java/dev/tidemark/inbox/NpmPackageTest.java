package dev.tidemark.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Runs the tests in {@code src/test/javascript/libraries}, which use the installed npm package, against a running
 * server.
 */
@QuarkusTest
@TestProfile(NpmPackageTest.InboxWithFeeds.class)
@EnabledIfEnvironmentVariable(named = NpmProject.NPM_VARIABLE, matches = "true")
class NpmPackageTest {

    /** The inbox with two more feeds of its messages: one in the order of a text, and one without delta. */
    public static class InboxWithFeeds extends ChangeableInboxProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            var settings = new HashMap<>(super.getConfigOverrides());
            var feed = "tidemark.feeds.subjects.";
            settings.put(feed + "table", "public.messages");
            settings.put(feed + "key", "id");
            settings.put(feed + "columns", "id,subject,status,edited_at");
            settings.put(feed + "orders.subject", "subject");
            settings.put(feed + "filters.subject", "text");
            settings.put(feed + "visible", "deleted_at is null");
            settings.put(feed + "delta", "true");
            var plain = "tidemark.feeds.plain.";
            settings.put(plain + "table", "public.messages");
            settings.put(plain + "key", "id");
            settings.put(plain + "columns", "id,created_at,subject");
            settings.put(plain + "orders.newest", "created_at desc");
            return settings;
        }
    }

    @TestHTTPResource("/")
    URI server;

    @Test
    @Timeout(300)
    void theInstalledPackageWorksWithItsLibraries() throws IOException, InterruptedException {
        var report = NpmProject.run(NpmProject.install(), Map.of("TIDEMARK_URL", server.toString()), "npm", "test");

        assertThat(report).containsPattern("pass [1-9]").containsPattern("fail 0");
    }
}

package dev.tidemark.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Runs the tests in {@code src/test/javascript/libraries}, which use the installed npm package, against a running
 * server.
 */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
@EnabledIfEnvironmentVariable(named = NpmProject.NPM_VARIABLE, matches = "true")
class NpmPackageTest {

    @TestHTTPResource("/")
    URI server;

    @Test
    @Timeout(300)
    void theInstalledPackageWorksWithItsLibraries() throws IOException, InterruptedException {
        var report = NpmProject.run(NpmProject.install(), Map.of("TIDEMARK_URL", server.toString()), "npm", "test");

        assertThat(report).containsPattern("pass [1-9]").containsPattern("fail 0");
    }
}

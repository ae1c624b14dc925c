package dev.tidemark.http.openapi;

import dev.tidemark.Slow;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The projects that OpenAPI Generator generates without options compile as they are, including their tests. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Slow
class GeneratedProjectsTest {

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = GeneratedClients.NPM_VARIABLE, matches = "true")
    void theProjectsInJavaKotlinAndTypeScriptCompile() throws Exception {
        new GeneratedClients("projects", "").buildProjects();
    }
}

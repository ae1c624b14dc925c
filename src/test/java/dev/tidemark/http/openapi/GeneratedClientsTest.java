package dev.tidemark.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Linters find nothing in the OpenAPI document, and the clients that are generated from it compile and scroll. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class GeneratedClientsTest {

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = GeneratedClients.WITH_JAVA, matches = "true")
    void theJavaClientScrollsForwardAndBack() throws Exception {
        assertThat(clients().scrollInJava()).contains("66 letters forward and 66 back");
    }

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = GeneratedClients.WITH_NPM, matches = "true")
    void theTypeScriptClientScrollsForwardAndBack() throws Exception {
        assertThat(clients().scrollInTypeScript()).contains("66 letters forward and 66 back");
    }

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = GeneratedClients.WITH_NPM, matches = "true")
    void lintersFindNothing() throws Exception {
        assertThat(clients().lint()).contains("API description is valid").doesNotContain("You have");
    }

    private static GeneratedClients clients() throws Exception {
        return new GeneratedClients("public", "");
    }
}

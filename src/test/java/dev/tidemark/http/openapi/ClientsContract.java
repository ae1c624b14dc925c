package dev.tidemark.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Linters find nothing in the OpenAPI document, and the clients that are generated from it compile and scroll. */
abstract class ClientsContract {

    abstract GeneratedClients clients() throws Exception;

    /** What the programs print after they have scrolled. */
    abstract String scrolled();

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = GeneratedClients.WITH_JAVA, matches = "true")
    void theJavaClientScrolls() throws Exception {
        assertThat(clients().scrollInJava()).contains(scrolled());
    }

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = GeneratedClients.WITH_NPM, matches = "true")
    void theTypeScriptClientScrolls() throws Exception {
        assertThat(clients().scrollInTypeScript()).contains(scrolled());
    }

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = GeneratedClients.WITH_NPM, matches = "true")
    void lintersFindNothing() throws Exception {
        assertThat(clients().lint()).contains("API description is valid").doesNotContain("You have");
    }
}

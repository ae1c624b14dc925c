package dev.tidemark.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Linters find nothing in the OpenAPI document, and the clients that are generated from it compile and scroll. */
abstract class ClientsContract {

    abstract GeneratedClients clients() throws Exception;

    /** A part of what the programs print after they have scrolled. */
    abstract String expectedOutput();

    @Test
    @Timeout(600)
    void theJavaClientScrolls() throws Exception {
        assertThat(clients().scrollInJava()).contains(expectedOutput());
    }

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = GeneratedClients.NPM_VARIABLE, matches = "true")
    void theTypeScriptClientScrolls() throws Exception {
        assertThat(clients().scrollInTypeScript()).contains(expectedOutput());
    }

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = GeneratedClients.NPM_VARIABLE, matches = "true")
    void lintersFindNothing() throws Exception {
        assertThat(clients().lint()).contains("API description is valid").doesNotContain("You have");
    }
}

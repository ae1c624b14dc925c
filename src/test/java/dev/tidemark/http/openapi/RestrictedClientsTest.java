package dev.tidemark.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestTokens;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The same as {@link GeneratedClientsTest}, for a document that describes feeds with restricted access. */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class RestrictedClientsTest {

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = GeneratedClients.WITH_JAVA, matches = "true")
    void theJavaClientScrollsWithAToken() throws Exception {
        assertThat(clients().scrollInJava()).contains("20 tickets of the tenant");
    }

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = GeneratedClients.WITH_NPM, matches = "true")
    void theTypeScriptClientScrollsWithAToken() throws Exception {
        assertThat(clients().scrollInTypeScript()).contains("20 tickets of the tenant");
    }

    @Test
    @Timeout(600)
    @EnabledIfEnvironmentVariable(named = GeneratedClients.WITH_NPM, matches = "true")
    void lintersFindNothing() throws Exception {
        assertThat(clients().lint()).contains("API description is valid").doesNotContain("You have");
    }

    private static GeneratedClients clients() throws Exception {
        return new GeneratedClients("restricted", TestTokens.ofTenant(1));
    }
}

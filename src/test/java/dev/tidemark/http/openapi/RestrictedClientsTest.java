package dev.tidemark.http.openapi;

import dev.tidemark.Slow;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestTokens;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** The OpenAPI document describes feeds with restricted access, and the generated clients send a token. */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
@Slow
class RestrictedClientsTest extends ClientsContract {

    @Override
    GeneratedClients clients() throws Exception {
        return new GeneratedClients("restricted", TestTokens.ofTenant(1));
    }

    @Override
    String expectedOutput() {
        return "20 tickets of the tenant";
    }
}

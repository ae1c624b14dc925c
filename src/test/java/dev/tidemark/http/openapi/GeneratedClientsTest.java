package dev.tidemark.http.openapi;

import dev.tidemark.Slow;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Slow
class GeneratedClientsTest extends ClientsContract {

    @Override
    GeneratedClients clients() throws Exception {
        return new GeneratedClients("public", "");
    }

    @Override
    String expectedOutput() {
        return "66 letters forward and 66 back";
    }
}

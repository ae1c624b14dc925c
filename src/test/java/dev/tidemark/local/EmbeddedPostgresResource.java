package dev.tidemark.local;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.TestResourceScope;
import io.quarkus.test.common.WithTestResource;
import java.util.Map;

/**
 * Gives each Quarkus application in tests an empty database, which the inbox fills. It applies to all Quarkus tests.
 */
@WithTestResource(value = EmbeddedPostgresResource.class, scope = TestResourceScope.GLOBAL)
public class EmbeddedPostgresResource implements QuarkusTestResourceLifecycleManager {

    @Override
    public Map<String, String> start() {
        return Map.of(
                "quarkus.datasource.reactive.url", TestPostgres.newQuarkusDatabase(),
                "quarkus.datasource.username", "postgres",
                "quarkus.datasource.password", "postgres");
    }

    /** The server ends with the JVM. */
    @Override
    public void stop() {}
}

package dev.tidemark.postgres.connection;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Stops the start with one sentence, before anything asks the database, where none is configured.
 *
 * <p>Of a {@link ConfigurationException} Quarkus prints the message alone, and exits with 1. (It has a
 * {@code PreventFurtherStepsException} that sounds like the same; thrown from here, it leaves the process hanging.)
 */
@Singleton
final class DatasourceCheck {

    private final Optional<String> url;

    DatasourceCheck(@ConfigProperty(name = "quarkus.datasource.reactive.url") Optional<String> url) {
        this.url = url;
    }

    void onStart(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE) StartupEvent event) {
        if (url.isEmpty()) {
            throw new ConfigurationException("Tidemark has no database: set QUARKUS_DATASOURCE_REACTIVE_URL (such as"
                    + " postgresql://db.example.org:5432/shop), QUARKUS_DATASOURCE_USERNAME and"
                    + " QUARKUS_DATASOURCE_PASSWORD.");
        }
    }
}

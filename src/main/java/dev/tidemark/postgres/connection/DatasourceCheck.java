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
 * Fails startup with a single message if no database is configured.
 *
 * <p>Quarkus prints only the message of a {@link ConfigurationException}, and exits with 1. (
 * {@code PreventFurtherStepsException} of Quarkus, thrown from here, leaves the process hanging.)
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

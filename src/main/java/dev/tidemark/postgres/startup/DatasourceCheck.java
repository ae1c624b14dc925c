package dev.tidemark.postgres.startup;

import dev.tidemark.postgres.connection.PostgresConfig;
import dev.tidemark.settings.DatabaseSettings;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.vertx.pgclient.PgConnectOptions;
import jakarta.inject.Singleton;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Fails startup with a single message if no database is configured, or its URL is malformed.
 *
 * <p>Quarkus prints only the message of a {@link ConfigurationException}, and exits with status 1. If this check threw
 * the {@code PreventFurtherStepsException} of Quarkus, the process would hang.
 */
@Singleton
public final class DatasourceCheck {

    private static final String EXAMPLE = "such as postgresql://db.example.org:5432/shop";

    private final Optional<List<String>> urls;
    private final Config config;
    private final Optional<Path> passwordFile;

    DatasourceCheck(
            @ConfigProperty(name = "quarkus.datasource.reactive.url") Optional<List<String>> urls,
            Config config,
            PostgresConfig postgres) {
        this.urls = urls;
        this.config = config;
        this.passwordFile = postgres.databasePasswordFile();
    }

    /** @throws ConfigurationException if no database is configured, or its URL is malformed */
    public void check() {
        try {
            DatabaseSettings.check(config);
        } catch (IllegalArgumentException fault) {
            throw new ConfigurationException("Tidemark cannot start: " + fault.getMessage() + ".");
        }
        if (urls.isEmpty()) {
            throw new ConfigurationException("Tidemark has no database: set QUARKUS_DATASOURCE_REACTIVE_URL (" + EXAMPLE
                    + "), or DATABASE_URL, and if the URL has none, QUARKUS_DATASOURCE_USERNAME and"
                    + " QUARKUS_DATASOURCE_PASSWORD.");
        }
        urls.get().forEach(DatasourceCheck::check);
        passwordFile.filter(file -> !Files.isReadable(file)).ifPresent(file -> {
            throw new ConfigurationException("Tidemark cannot start: TIDEMARK_DATABASE_PASSWORD_FILE is \"" + file
                    + "\", which cannot be read.");
        });
    }

    private static void check(String url) {
        try {
            PgConnectOptions.fromUri(url.replaceFirst("^vertx-reactive:", ""));
        } catch (IllegalArgumentException malformed) {
            throw new ConfigurationException("Tidemark cannot start: QUARKUS_DATASOURCE_REACTIVE_URL is \""
                    + url.replaceFirst("//[^/]*@", "//…@") + "\", which is not a PostgreSQL URL, " + EXAMPLE + ".");
        }
    }
}

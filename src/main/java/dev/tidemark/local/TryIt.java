package dev.tidemark.local;

import dev.tidemark.start.TidemarkMain;
import io.quarkus.runtime.configuration.ConfigUtils;
import java.nio.file.Path;

/**
 * Starts the embedded PostgreSQL and then Tidemark.
 *
 * <p>PostgreSQL must start first, because Quarkus configures data sources before application code runs. The port of
 * PostgreSQL and two roles are passed as system properties such as {@value #PORT}, and {@code application-try-it.yaml}
 * uses them in the URLs and user names of the data sources. If the user sets a URL, it takes precedence, and
 * PostgreSQL is not started.
 *
 * <p>This class is not annotated with {@code @QuarkusMain}, because that would make it a bean in every package.
 * {@code application-try-it.yaml} refers to it by name.
 */
public class TryIt {

    static final String PORT = "try-it.postgres.port";

    private static final String READER = "try-it.postgres.reader";
    private static final String WRITER = "try-it.postgres.writer";

    /**
     * Runs until stopped. If the embedded PostgreSQL is not available, prints the reason to standard error and exits
     * with status 1.
     */
    public static void main(String[] args) {
        try {
            startDatabase();
        } catch (LocalPostgresException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
        TidemarkMain.main(args);
    }

    private static void startDatabase() {
        // The configuration of Quarkus is not available yet, so the same sources are read here.
        var config = ConfigUtils.configBuilder().withProfile("try-it").build();
        var url = config.getConfigValue("quarkus.datasource.reactive.url").getRawValue();
        if (url.contains(PORT)) {
            var directory = config.getValue("try-it.postgres.directory", Path.class);
            var port = LocalPostgres.start(directory);
            ReaderRole.createIfMissing(port);
            System.setProperty(PORT, Integer.toString(port));
            System.setProperty(READER, ReaderRole.NAME);
            System.setProperty(WRITER, "postgres");
        }
    }
}

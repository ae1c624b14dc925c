package dev.tidemark.local;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.configuration.ConfigUtils;
import java.nio.file.Path;

/**
 * Starts the embedded PostgreSQL, then Tidemark on it.
 *
 * <p>The server comes first because a data source is configured before anything of ours could run. All that it hands
 * over is its port and two of its roles, as system properties such as {@value #PORT}, from which
 * {@code application-try-it.yaml} makes the data sources' URL and users. So a URL that the user sets still wins, and then no
 * server is started.
 *
 * <p>Not annotated as a main class: that would make it a bean, also where it is not deployed. The profile names it.
 */
public class TryIt {

    static final String PORT = "try-it.postgres.port";

    private static final String READER = "try-it.postgres.reader";
    private static final String WRITER = "try-it.postgres.writer";

    /** Runs until stopped. Where no database can be had: one sentence on standard error, and exit code 1. */
    public static void main(String[] args) {
        try {
            provideDatabase();
        } catch (LocalPostgresException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
        Quarkus.run(args);
    }

    private static void provideDatabase() {
        // Quarkus' own configuration is not there yet: these are the same sources, read once.
        var config = ConfigUtils.configBuilder().withProfile("try-it").build();
        var url = config.getConfigValue("quarkus.datasource.reactive.url").getRawValue();
        if (url.contains(PORT)) {
            var directory = config.getValue("try-it.postgres.directory", Path.class);
            var port = LocalPostgres.start(directory);
            ReaderRole.provide(port);
            System.setProperty(PORT, Integer.toString(port));
            System.setProperty(READER, ReaderRole.NAME);
            System.setProperty(WRITER, "postgres");
        }
    }
}

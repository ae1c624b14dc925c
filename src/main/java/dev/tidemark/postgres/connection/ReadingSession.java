package dev.tidemark.postgres.connection;

import dev.tidemark.naming.SqlNames;
import io.vertx.pgclient.PgConnectOptions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of every session that reads feeds. They are part of the connection's startup message, where they
 * override the settings of the role, the database, and the server, so that all connections read alike.
 *
 * <p>Nothing in such a session writes, not even a function that a view or a condition calls.
 *
 * <p>A name without a schema is looked up in {@code pg_catalog}, then in the configured schemas, and in temporary
 * tables last. Tables, types and operators are found when a feed is resolved, and must be the same in every later
 * session. The path comes from the configuration, not from the role. Otherwise, anybody who may alter the role could
 * change the meaning of feeds.
 */
final class ReadingSession {

    private ReadingSession() {}

    /** @return the same options, with the settings added */
    static PgConnectOptions configure(PgConnectOptions options, List<String> schemas) {
        options.addProperty("default_transaction_read_only", "on")
                .addProperty("search_path", searchPath(schemas))
                // These two change the meaning of a condition in a declaration.
                .addProperty("standard_conforming_strings", "on")
                .addProperty("transform_null_equals", "off");
        return options;
    }

    private static String searchPath(List<String> schemas) {
        return Stream.of(Stream.of("pg_catalog"), schemas.stream(), Stream.of("pg_temp"))
                .flatMap(names -> names)
                .map(SqlNames::quoted)
                .collect(Collectors.joining(", "));
    }
}

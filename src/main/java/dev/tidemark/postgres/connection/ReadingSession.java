package dev.tidemark.postgres.connection;

import dev.tidemark.postgres.sql.Sql;
import io.vertx.pgclient.PgConnectOptions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What holds in every session that reads feeds. It travels with the connection's start, where it stands above whatever the
 * role, the database or the server is set to, then and later: so a connection that is made anew reads as the others do.
 *
 * <p>Nothing in such a session writes, not even a function that a view or a condition calls.
 *
 * <p>A name without a schema is looked for in {@code pg_catalog}, then in the configured schemas, and never in what is
 * temporary before them. Tables, types and operators are found when a feed is resolved, and must be the same ones in every
 * later session. The path is the configured one and not the role's, because what feeds mean would else hang on a setting
 * that anybody may change who may alter the role.
 */
final class ReadingSession {

    private ReadingSession() {}

    /** @return the options, with the settings in them */
    static PgConnectOptions of(PgConnectOptions options, List<String> schemas) {
        options.addProperty("default_transaction_read_only", "on")
                .addProperty("search_path", path(schemas))
                // These two change what a condition says that is written in the declaration.
                .addProperty("standard_conforming_strings", "on")
                .addProperty("transform_null_equals", "off");
        return options;
    }

    private static String path(List<String> schemas) {
        return Stream.of(Stream.of("pg_catalog"), schemas.stream(), Stream.of("pg_temp"))
                .flatMap(names -> names)
                .map(Sql::quoted)
                .collect(Collectors.joining(", "));
    }
}

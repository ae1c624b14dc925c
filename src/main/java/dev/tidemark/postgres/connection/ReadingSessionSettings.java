package dev.tidemark.postgres.connection;

import dev.tidemark.feed.SqlQuoting;
import io.vertx.pgclient.PgConnectOptions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of every session that reads feeds. {@link SessionSettings} makes them in each new
 * session, where they override those of the role, the database, and the server, so that all sessions have the same
 * ones.
 *
 * <p>Transactions are read-only by default, so that a function that a view or a condition calls cannot write.
 *
 * <p>A name without a schema is looked up in {@code pg_catalog}, then in the configured schemas, and in temporary
 * tables last. When a feed is resolved, tables, types, and operators are looked up by name. In every later session,
 * these names must refer to the same objects. The search path comes from the configuration, not from the role.
 * Otherwise, anybody who may alter the role could change the meaning of feeds.
 */
final class ReadingSessionSettings {

    private ReadingSessionSettings() {}

    /** @return the same options, with the settings added */
    static PgConnectOptions configure(PgConnectOptions options, List<String> schemas) {
        options.addProperty("default_transaction_read_only", "on")
                .addProperty("search_path", searchPath(schemas))
                // These settings affect the meaning of conditions and expressions in declarations.
                .addProperty("timezone_abbreviations", "Default")
                .addProperty("standard_conforming_strings", "on")
                .addProperty("transform_null_equals", "off")
                // With "on", the text of a name or of a regclass would have quotes.
                .addProperty("quote_all_identifiers", "off")
                .addProperty("DateStyle", "ISO, YMD")
                // Otherwise, a scan of a GIN index returns a random part of the rows.
                .addProperty("gin_fuzzy_search_limit", "0")
                // With "off", PostgreSQL rejects statements that a policy would limit.
                .addProperty("row_security", "on")
                // Serializable reads can fail, or wait for the transactions of others.
                .addProperty("default_transaction_isolation", "read committed")
                .addProperty("default_transaction_deferrable", "off")
                // The driver logs the notices of functions, which can contain values of rows.
                .addProperty("client_min_messages", "error")
                // With "on", a statement that fails would end the connection, with all statements behind it.
                .addProperty("exit_on_error", "off")
                // Connections wait for requests in the pools, which have their own timeout.
                .addProperty("idle_session_timeout", "0")
                .addProperty("idle_in_transaction_session_timeout", "0");
        return options;
    }

    private static String searchPath(List<String> schemas) {
        return Stream.of(Stream.of("pg_catalog"), schemas.stream(), Stream.of("pg_temp"))
                .flatMap(names -> names)
                .map(SqlQuoting::quoteIdentifier)
                .collect(Collectors.joining(", "));
    }
}

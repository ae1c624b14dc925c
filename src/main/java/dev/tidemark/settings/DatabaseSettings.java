package dev.tidemark.settings;

import io.quarkus.runtime.annotations.StaticInitSafe;
import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.ConfigValue;
import jakarta.annotation.Priority;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/**
 * Takes the settings of the database from a URL as people have it: {@code QUARKUS_DATASOURCE_REACTIVE_URL}, else
 * {@code DATABASE_URL}, else the variables of libpq, which also complete {@code DATABASE_URL}. A setting that is set
 * by itself has precedence. If there is a fault, the settings stay as they are, and {@link #check} reports it.
 */
@StaticInitSafe
@Priority(DatabaseSettings.AFTER_EXPRESSIONS)
public class DatabaseSettings implements ConfigSourceInterceptor {

    /** Higher than the priorities of the framework's own interceptors, so that these have resolved all values. */
    static final int AFTER_EXPRESSIONS = 4000;

    private static final String SOURCE = "the URL of the database";
    private static final String VARIABLE = "QUARKUS_DATASOURCE_REACTIVE_URL";
    private static final String COMMON_VARIABLE = "DATABASE_URL";

    private static final Set<String> SETTINGS = Set.of(
            DatabaseParameters.URL,
            DatabaseParameters.USERNAME,
            DatabaseParameters.PASSWORD,
            DatabaseParameters.SSL_MODE,
            DatabaseParameters.VERIFIED_HOST,
            DatabaseParameters.TRUST_PEM,
            DatabaseParameters.TRUSTED_CERTIFICATES,
            DatabaseParameters.CONNECT_TIMEOUT,
            DatabaseParameters.SEARCH_PATH);

    /** The parameters of libpq by the variables that contain them. */
    private static final Map<String, String> VARIABLES = Map.ofEntries(
            Map.entry("PGHOST", "host"),
            Map.entry("PGHOSTADDR", "hostaddr"),
            Map.entry("PGPORT", "port"),
            Map.entry("PGDATABASE", "dbname"),
            Map.entry("PGUSER", "user"),
            Map.entry("PGPASSWORD", "password"),
            Map.entry("PGSSLMODE", "sslmode"),
            Map.entry("PGSSLROOTCERT", "sslrootcert"),
            Map.entry("PGAPPNAME", "application_name"),
            Map.entry("PGCONNECT_TIMEOUT", "connect_timeout"),
            Map.entry("PGOPTIONS", "options"),
            Map.entry("PGCHANNELBINDING", "channel_binding"),
            Map.entry("PGTARGETSESSIONATTRS", "target_session_attrs"),
            Map.entry("PGGSSENCMODE", "gssencmode"),
            Map.entry("PGSSLCERT", "sslcert"),
            Map.entry("PGSSLKEY", "sslkey"),
            Map.entry("PGSSLCRL", "sslcrl"),
            Map.entry("PGREQUIREAUTH", "require_auth"),
            Map.entry("PGSSLNEGOTIATION", "sslnegotiation"),
            Map.entry("PGLOADBALANCEHOSTS", "load_balance_hosts"),
            Map.entry("PGSERVICE", "service"),
            Map.entry("PGPASSFILE", "passfile"));

    @Override
    public @Nullable ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
        ConfigValue own = context.proceed(name);
        if (!SETTINGS.contains(name)) {
            return own;
        }
        boolean isUrl = name.equals(DatabaseParameters.URL);
        // A default value is not set by itself.
        if (!isUrl && own != null && own.getConfigSourceOrdinal() >= 0) {
            return own;
        }
        Optional<String> derived;
        try {
            derived = Optional.ofNullable(settings(other -> {
                        ConfigValue value = context.proceed(other);
                        return value == null ? null : value.getValue();
                    })
                    .get(name));
        } catch (IllegalArgumentException fault) {
            return own;
        }
        return derived.map(value -> ConfigValue.builder()
                        .withName(name)
                        .withValue(value)
                        .withRawValue(value)
                        .withConfigSourceName(SOURCE)
                        .withConfigSourceOrdinal(own == null ? 0 : own.getConfigSourceOrdinal())
                        .build())
                .orElse(own);
    }

    /**
     * Checks the URL of the database.
     *
     * @throws IllegalArgumentException whose message is a sentence that says what is wrong, without the password
     */
    public static void check(Config config) {
        if (!SOURCE.equals(config.getConfigValue(DatabaseParameters.URL).getSourceName())) {
            settings(name -> config.getConfigValue(name).getValue());
        }
    }

    /** @return empty if there is no database */
    private static Map<String, String> settings(Function<String, @Nullable String> lookup) {
        String url = lookup.apply(DatabaseParameters.URL);
        String first = lookup.apply(DatabaseParameters.URL + "[0]");
        // A list in YAML is also the value of the name without an index, with commas, unless another source has
        // precedence.
        if (first != null && (url == null || url.startsWith(first))) {
            throw new IllegalArgumentException(
                    VARIABLE + " is a list; write its hosts into one URL, separated by commas");
        }
        if (url != null) {
            return named(VARIABLE, () -> DatabaseUrl.parse(url));
        }
        Map<String, String> fromVariables = new LinkedHashMap<>();
        VARIABLES.forEach((variable, parameter) -> {
            String value = lookup.apply(variable);
            if (value != null && !value.isEmpty()) {
                fromVariables.put(parameter, value);
            }
        });
        String common = lookup.apply(COMMON_VARIABLE);
        if (common != null && !common.isBlank()) {
            return named(COMMON_VARIABLE, () -> {
                Map<String, String> parameters = DatabaseUrl.parse(common);
                if (parameters.containsKey("host")) {
                    fromVariables.remove("hostaddr");
                }
                fromVariables.forEach(parameters::putIfAbsent);
                return parameters;
            });
        }
        return fromVariables.containsKey("host") || fromVariables.containsKey("hostaddr")
                ? named("The database of PGHOST", () -> fromVariables)
                : Map.of();
    }

    private static Map<String, String> named(String source, Supplier<Map<String, String>> parameters) {
        try {
            return new DatabaseParameters(parameters.get()).toSettings();
        } catch (IllegalArgumentException fault) {
            throw new IllegalArgumentException(source + ' ' + fault.getMessage(), fault);
        }
    }
}

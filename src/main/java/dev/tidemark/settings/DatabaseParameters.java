package dev.tidemark.settings;

import dev.tidemark.naming.NearestName;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Translates the connection parameters of libpq into settings of Tidemark and Quarkus. One that cannot be honoured is
 * a fault: if it were ignored, the connection would be another one than the URL asks for.
 */
final class DatabaseParameters {

    static final String URL = "quarkus.datasource.reactive.url";
    static final String USERNAME = "quarkus.datasource.username";
    static final String PASSWORD = "quarkus.datasource.password";
    static final String SSL_MODE = "quarkus.datasource.reactive.postgresql.ssl-mode";
    static final String VERIFIED_HOST = "quarkus.datasource.reactive.hostname-verification-algorithm";
    static final String TRUST_PEM = "quarkus.datasource.reactive.trust-certificate-pem";
    static final String TRUSTED_CERTIFICATES = "quarkus.datasource.reactive.trust-certificate-pem.certs";
    static final String CONNECT_TIMEOUT = "tidemark.connect-timeout";
    static final String SEARCH_PATH = "tidemark.search-path";

    private static final Set<String> SSL_MODES =
            Set.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");

    /** The values with which a parameter changes nothing. */
    private static final Map<String, Set<String>> WITHOUT_EFFECT = Map.of(
            "target_session_attrs", Set.of("any", "prefer-standby"),
            "load_balance_hosts", Set.of("disable"),
            "sslnegotiation", Set.of("postgres"),
            "gssencmode", Set.of("disable", "prefer"),
            "client_encoding", Set.of("auto", "utf8", "UTF8", "utf-8", "UTF-8"),
            "sslsni", Set.of("1"),
            "sslcompression", Set.of("0"),
            "keepalives", Set.of("1"));

    private static final Map<String, String> ADVICE = Map.of(
            "target_session_attrs",
                    "Tidemark itself finds the primary among the hosts, and also reads from its standbys. Remove it, and"
                            + " list only hosts from which to read",
            "load_balance_hosts", "Tidemark itself chooses among the hosts. Remove it",
            "gssencmode", "there is no encryption by GSSAPI. Use sslmode",
            "sslcert", "set QUARKUS_DATASOURCE_REACTIVE_KEY_CERTIFICATE_PEM=true and …_PEM_CERTS instead",
            "sslkey", "set QUARKUS_DATASOURCE_REACTIVE_KEY_CERTIFICATE_PEM=true and …_PEM_KEYS instead",
            "ssl", "write sslmode=require, or better verify-full");

    private static final Set<String> HONOURED = Set.of(
            "host",
            "hostaddr",
            "port",
            "user",
            "password",
            "dbname",
            "sslmode",
            "sslrootcert",
            "application_name",
            "fallback_application_name",
            "connect_timeout",
            "options",
            "search_path",
            "channel_binding");

    /** What the setting of Tidemark allows. */
    private static final int MAX_CONNECT_SECONDS = 3600;

    private final Map<String, String> parameters;

    /** @param parameters under their names in libpq */
    DatabaseParameters(Map<String, String> parameters) {
        this.parameters = parameters;
    }

    /**
     * Returns the settings, under their names in the configuration.
     *
     * @throws IllegalArgumentException whose message completes a sentence that begins with what contains the
     *     parameters
     */
    Map<String, String> toSettings() {
        parameters.forEach(DatabaseParameters::check);
        Map<String, String> settings = new LinkedHashMap<>();
        Map<String, String> query = new LinkedHashMap<>();
        addTls(settings);
        addSession(settings, query);
        copy("user", settings, USERNAME);
        copy("password", settings, PASSWORD);
        settings.put(URL, String.join(",", urls(query)));
        return settings;
    }

    private static void check(String name, String value) {
        if (HONOURED.contains(name)
                || WITHOUT_EFFECT.getOrDefault(name, Set.of()).contains(value)) {
            return;
        }
        String advice = ADVICE.get(name);
        if (advice == null && !WITHOUT_EFFECT.containsKey(name)) {
            Set<String> known = new TreeSet<>(HONOURED);
            known.addAll(WITHOUT_EFFECT.keySet());
            throw new IllegalArgumentException(
                    "has the unknown parameter \"" + name + '"' + NearestName.hint(name, known));
        }
        throw new IllegalArgumentException("has " + name + ", which "
                + (advice == null
                        ? "can only be " + new TreeSet<>(WITHOUT_EFFECT.get(name))
                        : "cannot be honoured: " + advice));
    }

    private void copy(String name, Map<String, String> to, String setting) {
        String value = parameters.get(name);
        if (value != null && !value.isEmpty()) {
            to.put(setting, value);
        }
    }

    private void addTls(Map<String, String> settings) {
        String mode = parameters.getOrDefault("sslmode", "");
        if (!mode.isEmpty() && !SSL_MODES.contains(mode)) {
            throw new IllegalArgumentException(
                    "has an unknown sslmode" + NearestName.hint(mode, new TreeSet<>(SSL_MODES)));
        }
        String certificates = parameters.getOrDefault("sslrootcert", "");
        if (certificates.equals("system")) {
            if (mode.isEmpty()) {
                mode = "verify-full";
            } else if (!mode.equals("verify-full")) {
                throw new IllegalArgumentException("has sslrootcert=system, which needs sslmode=verify-full");
            }
        } else if (!certificates.isEmpty()) {
            if (!mode.equals("require") && !mode.startsWith("verify-")) {
                throw new IllegalArgumentException(
                        "has sslrootcert, but no sslmode that verifies the certificate; write sslmode=verify-full");
            }
            settings.put(TRUST_PEM, "true");
            settings.put(TRUSTED_CERTIFICATES, certificates);
        }
        if (!mode.isEmpty()) {
            settings.put(SSL_MODE, mode);
        }
        if (mode.equals("verify-full")) {
            settings.put(VERIFIED_HOST, "HTTPS");
        }
        boolean isVerified = mode.equals("require") || mode.startsWith("verify-");
        switch (parameters.getOrDefault("channel_binding", "prefer")) {
            case "prefer" -> {
                // The driver binds the channel if the server offers it.
            }
            case "require" -> {
                if (!isVerified) {
                    throw new IllegalArgumentException(
                            "has channel_binding=require, which needs sslmode=require or a" + " stricter one");
                }
            }
            default -> throw new IllegalArgumentException("has a channel_binding other than prefer or require");
        }
    }

    /** @param query gets the parameters that the driver takes as such */
    private void addSession(Map<String, String> settings, Map<String, String> query) {
        String name = parameters.getOrDefault("application_name", parameters.get("fallback_application_name"));
        if (name != null) {
            query.put("application_name", name);
        }
        String timeout = parameters.get("connect_timeout");
        if (timeout != null) {
            if (!timeout.matches("[1-9][0-9]{0,3}") || Integer.parseInt(timeout) > MAX_CONNECT_SECONDS) {
                throw new IllegalArgumentException(
                        "has a connect_timeout that is not from 1 to " + MAX_CONNECT_SECONDS + " (seconds)");
            }
            settings.put(CONNECT_TIMEOUT, timeout + "s");
        }
        String options = parameters.getOrDefault("options", "");
        String searchPath = parameters.getOrDefault(
                "search_path", SessionOptions.parse(options).settings().get("search_path"));
        if (searchPath != null) {
            settings.put(SEARCH_PATH, schemas(searchPath));
        }
        if (!options.isBlank()) {
            query.put("options", options);
        }
    }

    /**
     * Returns the names of schemas as PostgreSQL reads them. The setting of Tidemark has no quotes and no variables.
     */
    private static String schemas(String searchPath) {
        List<String> names = new ArrayList<>();
        for (String name : searchPath.split(",", -1)) {
            if (!name.strip().matches("[A-Za-z_][A-Za-z0-9_]*")) {
                throw new IllegalArgumentException(
                        "has a search_path with a name of other characters than letters, digits"
                                + " and _; set TIDEMARK_SEARCH_PATH instead, which takes names without quotes");
            }
            names.add(name.strip().toLowerCase(Locale.ROOT));
        }
        return String.join(",", names);
    }

    /** Returns a URL for each host, which the driver understands. */
    private List<String> urls(Map<String, String> query) {
        String[] hosts = hosts();
        String[] ports = parameters.getOrDefault("port", "").split(",", -1);
        if (ports.length > 1 && ports.length != hosts.length) {
            throw new IllegalArgumentException("has " + ports.length + " ports for " + hosts.length + " hosts");
        }
        String database = parameters.getOrDefault("dbname", "");
        if (database.isEmpty()) {
            throw new IllegalArgumentException("names no database, as in postgresql://db.example.org:5432/shop");
        }
        List<String> urls = new ArrayList<>();
        for (int i = 0; i < hosts.length; i++) {
            urls.add("postgresql://" + address(hosts[i]) + ':' + port(ports.length == 1 ? ports[0] : ports[i]) + '/'
                    + DatabaseUrl.encode(database)
                    + (query.isEmpty() ? "" : '?' + DatabaseUrl.encodeQuery(query)));
        }
        return urls;
    }

    private String[] hosts() {
        String host = parameters.getOrDefault("host", "");
        String address = parameters.getOrDefault("hostaddr", "");
        if (!host.isEmpty() && !address.isEmpty()) {
            throw new IllegalArgumentException("has host and hostaddr; write only one of them");
        }
        return (host + address).split(",", -1);
    }

    private static String address(String host) {
        if (!host.contains(":")) {
            return host.isEmpty() ? "localhost" : DatabaseUrl.encode(host);
        }
        try {
            // An IPv4-mapped address becomes one of IPv4. A text with a colon is not looked up as a name.
            String address = InetAddress.getByName(host).getHostAddress();
            return address.contains(":") ? '[' + address + ']' : address;
        } catch (UnknownHostException malformed) {
            throw new IllegalArgumentException("has a host that is no IPv6 address");
        }
    }

    private static int port(String text) {
        if (text.isEmpty()) {
            return 5432;
        }
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > 65535) {
            throw new IllegalArgumentException("has a port that is not from 1 to 65535");
        }
        return Integer.parseInt(text);
    }
}

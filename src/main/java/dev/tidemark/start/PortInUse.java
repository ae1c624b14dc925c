package dev.tidemark.start;

import io.quarkus.runtime.QuarkusBindException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.config.Config;

/** Describes, for the operator, that a port cannot be opened. */
final class PortInUse {

    private static final Map<String, Integer> DEFAULTS = new TreeMap<>(
            Map.of("quarkus.http.port", 8080, "quarkus.http.ssl-port", 8443, "quarkus.management.port", 9000));

    private PortInUse() {}

    /** @param config of the process that could not open the port */
    static String describe(QuarkusBindException failure, Config config) {
        return "Port " + failure.getPort() + " seems to be in use by another process"
                + DEFAULTS.entrySet().stream()
                        .filter(setting -> config.getOptionalValue(setting.getKey(), Integer.class)
                                .orElse(setting.getValue())
                                .equals(failure.getPort()))
                        .findFirst()
                        .map(setting -> "; stop it, or set " + variable(setting.getKey()) + " to another port")
                        .orElse("");
    }

    private static String variable(String property) {
        return property.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
    }
}

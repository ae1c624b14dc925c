package dev.tidemark.settings;

import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/**
 * Describes, for messages, where a setting is set.
 *
 * @param environment the environment variables
 * @param properties the system properties, which take precedence over environment variables
 */
record SettingLocations(SourceLines lines, Map<String, String> environment, Properties properties) {

    static SettingLocations of(SourceLines lines) {
        return new SettingLocations(lines, System.getenv(), System.getProperties());
    }

    /**
     * Returns the name of the environment variable that sets the property, or otherwise the property, with its file
     * and line if it is in a YAML file.
     */
    String describe(String property) {
        String variable = variable(property);
        if (!properties.containsKey(property) && environment.containsKey(variable)) {
            return variable;
        }
        return property
                + lines.find(property.replaceFirst("(\\[\\d+])+$", ""))
                        .map(location -> " (" + location + ")")
                        .orElse("");
    }

    /** Returns the name of the environment variable for a property. */
    static String variable(String property) {
        return property.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}

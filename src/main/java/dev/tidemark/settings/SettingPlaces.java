package dev.tidemark.settings;

import java.util.Locale;
import java.util.Map;

/**
 * Names settings in messages so that they are easy to find.
 *
 * @param environment the environment variables
 */
record SettingPlaces(SourceLines lines, Map<String, String> environment) {

    static SettingPlaces in(SourceLines lines) {
        return new SettingPlaces(lines, System.getenv());
    }

    /**
     * Returns the name of the environment variable that sets the property, or otherwise the property, with its file and
     * line if it is in a YAML file.
     */
    String of(String property) {
        String variable = property.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
        if (System.getProperty(property) == null && environment.containsKey(variable)) {
            return variable;
        }
        return property
                + lines.find(property.replaceFirst("(\\[\\d+])+$", ""))
                        .map(place -> " (" + place + ")")
                        .orElse("");
    }
}

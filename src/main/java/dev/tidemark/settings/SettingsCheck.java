package dev.tidemark.settings;

import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/**
 * Stops startup with a message if a setting is out of its bounds, or if a setting that must be true or false has
 * another value, which the framework would read as false.
 *
 * <p>The bounds are not Bean Validation constraints, because a single constraint on a setting would make Quarkus build
 * a second validator for the settings of all extensions, which would take a quarter of the startup time.
 */
@Singleton
public final class SettingsCheck {

    private final Config config;

    SettingsCheck(Config config) {
        this.config = config;
    }

    /** @param message such as {@code is "5", but must be from 1 to 3} */
    record Fault(String setting, String message) {}

    /** @throws ConfigurationException if a setting is not valid */
    public void check() {
        List<Fault> faults = faults(config);
        if (!faults.isEmpty()) {
            SettingLocations locations = SettingLocations.of(SourceLines.ofConfiguration());
            throw new ConfigurationException(faults.stream()
                    .map(fault ->
                            "Tidemark cannot start: " + locations.describe(fault.setting()) + " " + fault.message())
                    .collect(Collectors.joining("\n")));
        }
    }

    static List<Fault> faults(Config config) {
        return Stream.concat(Setting.SERVER.stream(), Setting.INBOX.stream())
                .flatMap(setting ->
                        setting.fault(config).map(message -> new Fault(setting.property(), message)).stream())
                .toList();
    }
}

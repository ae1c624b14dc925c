package dev.tidemark.settings;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/**
 * Stops startup with a message if a setting is out of its bounds, or is neither true nor false although it must be one of
 * them. The framework takes any other word for false.
 *
 * <p>The bounds are not Bean Validation constraints. A single constraint on a setting would make Quarkus build a second
 * validator for the settings of all extensions. That would take a quarter of the startup time.
 */
@Singleton
final class SettingBounds {

    private static final Duration HOUR = Duration.ofHours(1);

    static final List<Bound<?>> BOUNDS = List.of(
            Bound.from("tidemark.cursor.lifetime", Duration.class, Duration.ofSeconds(10)),
            Bound.between("tidemark.export.max-streams", Integer.class, 0, 10_000),
            Bound.between("tidemark.export.stalled-timeout", Duration.class, Duration.ofMillis(100), HOUR),
            Bound.from("tidemark.free-connections", Integer.class, 1),
            Bound.between("tidemark.fresh.heartbeat", Duration.class, Duration.ofMillis(10), HOUR),
            Bound.between("tidemark.fresh.max-streams", Integer.class, 0, 1_000_000),
            Bound.between("tidemark.fresh.poll-interval", Duration.class, Duration.ofMillis(250), HOUR),
            Bound.between("tidemark.inbox.rows", Long.class, 1L, 1_000_000_000L),
            Bound.between("tidemark.inbox.traffic", Integer.class, 0, 500),
            Bound.between("tidemark.longest-wait", Duration.class, Duration.ofMillis(1), HOUR),
            Bound.from("tidemark.recheck-interval", Duration.class, Duration.ZERO),
            Bound.between("tidemark.replica-max-lag", Duration.class, Duration.ofMillis(500), HOUR),
            Bound.between("tidemark.request-log.lines-per-second", Integer.class, 1, 1_000_000),
            Bound.from("tidemark.start-timeout", Duration.class, Duration.ZERO),
            Bound.between("tidemark.statement-timeout", Duration.class, Duration.ofMillis(10), HOUR));

    /** The settings that switch something on or off. */
    static final Set<String> SWITCHES = Set.of(
            "tidemark.feed-browser",
            "tidemark.feeds-reload",
            "tidemark.openapi.restricted-feeds",
            "tidemark.pipelined",
            "tidemark.require-indexes",
            "tidemark.single-flight");

    /** The words that the framework takes for true, and their opposites. */
    private static final Pattern TRUE_OR_FALSE = Pattern.compile("(?i)true|false|yes|no|y|n|on|off|1|0");

    /** @param message such as {@code is 5, but must be from 1 to 3} */
    record Fault(String setting, String message) {}

    /** Fails if a setting is out of its bounds. Called before any command runs and before the database is used. */
    void onStart(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE) StartupEvent start, Config config) {
        List<Fault> faults = faults(config);
        if (!faults.isEmpty()) {
            SettingPlaces places = SettingPlaces.in(SourceLines.ofConfiguration());
            throw new ConfigurationException(faults.stream()
                    .map(fault -> "Tidemark cannot start: " + places.of(fault.setting()) + " " + fault.message())
                    .collect(Collectors.joining("\n")));
        }
    }

    static List<Fault> faults(Config config) {
        Stream<Fault> words = SWITCHES.stream()
                .sorted()
                .flatMap(setting -> config
                        .getOptionalValue(setting, String.class)
                        .filter(value -> !TRUE_OR_FALSE.matcher(value).matches())
                        .map(value -> new Fault(setting, "is " + value + ", but must be true or false"))
                        .stream());
        return Stream.concat(BOUNDS.stream().flatMap(bound -> bound.fault(config).stream()), words)
                .toList();
    }

    /** The inclusive bounds of a setting. */
    record Bound<T extends Comparable<T>>(String setting, Class<T> type, T lowest, Optional<T> highest) {

        static <T extends Comparable<T>> Bound<T> from(String setting, Class<T> type, T lowest) {
            return new Bound<>(setting, type, lowest, Optional.empty());
        }

        static <T extends Comparable<T>> Bound<T> between(String setting, Class<T> type, T lowest, T highest) {
            return new Bound<>(setting, type, lowest, Optional.of(highest));
        }

        private Optional<Fault> fault(Config config) {
            return config.getOptionalValue(setting, type)
                    .filter(value -> value.compareTo(lowest) < 0
                            || highest.filter(limit -> value.compareTo(limit) > 0)
                                    .isPresent())
                    .map(value -> new Fault(
                            setting,
                            "is " + config.getConfigValue(setting).getValue() + ", but must be "
                                    + highest.map(limit -> "from " + text(lowest) + " to " + text(limit))
                                            .orElseGet(() -> text(lowest) + " or more")));
        }

        /**
         * Formats a value as it is written in a setting, such as {@code 1h}, {@code 10s}, {@code 500ms}, or {@code 16}.
         */
        private static String text(Object value) {
            if (!(value instanceof Duration duration)) {
                return value.toString();
            }
            if (duration.toMillisPart() > 0) {
                return duration.toMillis() + "ms";
            }
            return duration.equals(HOUR) ? "1h" : duration.toSeconds() + "s";
        }
    }
}

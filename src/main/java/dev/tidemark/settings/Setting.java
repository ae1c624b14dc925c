package dev.tidemark.settings;

import io.quarkus.runtime.configuration.MemorySize;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;

/**
 * A setting of Tidemark, with the values that it can have.
 *
 * @param name as it is written below {@code tidemark} in files
 * @param lowest the lowest value that is allowed; empty if there are no bounds
 * @param highest the highest value that is allowed; empty if there is no upper bound
 */
record Setting<T extends Comparable<T>>(String name, Class<T> type, Optional<T> lowest, Optional<T> highest) {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final long KILOBYTE = 1 << 10;
    private static final long GIGABYTE = 1 << 30;
    private static final String BYTES = "-bytes";

    /** The settings of the server, except the declared feeds. */
    static final List<Setting<?>> SERVER = List.of(
            anyText("cursor.keys"),
            atLeast("cursor.lifetime", Duration.ofSeconds(10)),
            between("export.max-streams", 0, 10_000),
            between("export.stalled-timeout", Duration.ofMillis(100), HOUR),
            onOrOff("feed-browser"),
            onOrOff("feeds-reload"),
            atLeast("free-connections", 1),
            between("fresh.heartbeat", Duration.ofMillis(10), HOUR),
            between("fresh.max-streams", 0, 1_000_000),
            between("fresh.poll-interval", Duration.ofMillis(250), HOUR),
            between("live.heartbeat", Duration.ofMillis(10), HOUR),
            between("live.max-streams", 0, 1_000_000),
            between("live.max-windows", 0, 1_000_000),
            between("longest-wait", Duration.ofMillis(1), HOUR),
            onOrOff("management-http2"),
            between("max-page-bytes", 64 * KILOBYTE, GIGABYTE),
            onOrOff("openapi.restricted-feeds"),
            onOrOff("pipelined"),
            atLeast("recheck-interval", Duration.ZERO),
            between("replica-max-lag", Duration.ofMillis(500), HOUR),
            between("request-log.lines-per-second", 1, 1_000_000),
            onOrOff("require-indexes"),
            anyText("search-path"),
            onOrOff("single-flight"),
            atLeast("start-timeout", Duration.ZERO),
            between("statement-timeout", Duration.ofMillis(10), HOUR));

    /** The settings of the sample inbox that have bounds. */
    static final List<Setting<?>> INBOX = List.of(
            between("inbox.rows", 1L, 1_000_000_000L),
            between("inbox.traffic", 0, 500),
            between("inbox.traffic-attention", Duration.ofSeconds(1), HOUR));

    /** The words for true and false that a setting can have. */
    private static final Pattern TRUE_OR_FALSE = Pattern.compile("(?i)true|false|yes|no|y|n|on|off|1|0");

    private static Setting<String> anyText(String name) {
        return new Setting<>(name, String.class, Optional.empty(), Optional.empty());
    }

    private static Setting<Boolean> onOrOff(String name) {
        return new Setting<>(name, Boolean.class, Optional.empty(), Optional.empty());
    }

    private static <T extends Comparable<T>> Setting<T> atLeast(String name, T lowest) {
        return new Setting<>(name, typeOf(lowest), Optional.of(lowest), Optional.empty());
    }

    private static <T extends Comparable<T>> Setting<T> between(String name, T lowest, T highest) {
        return new Setting<>(name, typeOf(lowest), Optional.of(lowest), Optional.of(highest));
    }

    @SuppressWarnings("unchecked") // The classes of bounds have no subclasses.
    private static <T> Class<T> typeOf(T bound) {
        return (Class<T>) bound.getClass();
    }

    String property() {
        return "tidemark." + name;
    }

    /**
     * Returns what is wrong with the value, such as {@code is "5", but must be from 1 to 3}; empty if it is valid or
     * not set.
     */
    Optional<String> fault(Config config) {
        boolean isAccepted = type == Boolean.class
                ? config.getOptionalValue(property(), String.class)
                        .map(value -> TRUE_OR_FALSE.matcher(value).matches())
                        .orElse(true)
                : value(config).map(this::isWithin).orElse(true);
        return isAccepted
                ? Optional.empty()
                : Optional.of("is \"" + config.getConfigValue(property()).getValue() + "\", but must be " + expected());
    }

    /** A number of bytes can have a unit, as in {@code 16M}. */
    private Optional<T> value(Config config) {
        return name.endsWith(BYTES)
                ? config.getOptionalValue(property(), MemorySize.class).map(size -> type.cast(size.asLongValue()))
                : config.getOptionalValue(property(), type);
    }

    private boolean isWithin(T value) {
        return lowest.filter(bound -> value.compareTo(bound) < 0).isEmpty()
                && highest.filter(bound -> value.compareTo(bound) > 0).isEmpty();
    }

    private String expected() {
        if (lowest.isEmpty()) {
            return "true or false";
        }
        return highest.map(bound -> "from " + text(lowest.get()) + " to " + text(bound))
                .orElseGet(() -> text(lowest.get()) + " or more");
    }

    /** Formats a value as it is written in a setting, such as {@code 1h}, {@code 500ms}, {@code 64K}, or {@code 16}. */
    private String text(Object value) {
        if (name.endsWith(BYTES) && value instanceof Long bytes) {
            return bytes % GIGABYTE == 0 ? bytes / GIGABYTE + "G" : bytes / KILOBYTE + "K";
        }
        if (!(value instanceof Duration duration)) {
            return value.toString();
        }
        if (duration.toMillisPart() > 0) {
            return duration.toMillis() + "ms";
        }
        return duration.equals(HOUR) ? "1h" : duration.toSeconds() + "s";
    }
}

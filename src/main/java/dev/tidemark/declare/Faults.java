package dev.tidemark.declare;

import dev.tidemark.naming.NearestName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Collects the faults in the declared feeds, so that startup reports all of them at once. */
public final class Faults {

    private final Map<String, List<Fault>> byFeed = new TreeMap<>();
    private final Map<String, UnaryOperator<String>> locations = new HashMap<>();

    /**
     * @param property relative to the feed, such as {@code orders.newest}
     * @param location the place of the property, such as {@code feeds.yaml:7}; empty if it is unknown
     * @param message describes the fault, and how to correct it unless that is obvious
     * @param script the psql lines that correct the fault; empty if the declaration must change, or for an unknown
     *     cause
     */
    public record Fault(String feed, String property, String location, String message, List<String> script) {

        /** Describes the fault, without the place of the property. */
        @Override
        public String toString() {
            return property + ": " + message;
        }

        /** Describes the fault, with the place of the property. */
        public String describe() {
            return property + (location.isEmpty() ? "" : " (" + location + ")") + ": " + message;
        }
    }

    /** The faults of one feed. */
    public final class FeedFaults {

        private final String feed;

        private FeedFaults(String feed) {
            this.feed = feed;
        }

        /**
         * @param property relative to the feed, such as {@code orders.newest}
         * @param message describes the fault, and how to correct it unless that is obvious
         */
        public void add(String property, String message) {
            add(property, message, List.of());
        }

        /** @param script the psql lines that correct the fault */
        void add(String property, String message, List<String> script) {
            String location = locations.getOrDefault(feed, unknown -> "").apply(property);
            byFeed.computeIfAbsent(feed, name -> new ArrayList<>())
                    .add(new Fault(feed, property, location, message, script));
        }

        /** Parses the lower-case name of a constant; adds a fault if there is no such constant. */
        <E extends Enum<E>> Optional<E> parseConstant(Class<E> type, String text, String property) {
            Optional<E> constant = Stream.of(type.getEnumConstants())
                    .filter(value -> lowerCaseName(value).equals(text))
                    .findFirst();
            if (constant.isEmpty()) {
                add(
                        property,
                        "'" + text + "' is not one of " + constantNames(type)
                                + NearestName.hint(
                                        text,
                                        Stream.of(type.getEnumConstants())
                                                .map(Faults::lowerCaseName)
                                                .toList()));
            }
            return constant;
        }

        /** Returns the faults of this feed, each prefixed with its property. */
        public List<String> all() {
            return byFeed.getOrDefault(feed, List.of()).stream()
                    .map(Fault::toString)
                    .toList();
        }

        public boolean isEmpty() {
            return !byFeed.containsKey(feed);
        }
    }

    static <E extends Enum<E>> String constantNames(Class<E> type) {
        return Stream.of(type.getEnumConstants()).map(Faults::lowerCaseName).collect(Collectors.joining(", "));
    }

    private static String lowerCaseName(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** @param location returns the place of a property of the feed */
    void locate(String feed, UnaryOperator<String> location) {
        locations.put(feed, location);
    }

    public FeedFaults forFeed(String feed) {
        return new FeedFaults(feed);
    }

    public boolean isEmpty() {
        return byFeed.isEmpty();
    }

    /** Returns the faults of all feeds, sorted by the names of the feeds. */
    public List<Fault> all() {
        return byFeed.values().stream().flatMap(List::stream).toList();
    }

    /** Returns a message with the number of all faults, and the faults listed by feed. */
    public String message() {
        int count = byFeed.values().stream().mapToInt(List::size).sum();
        StringBuilder message = new StringBuilder()
                .append(count == 1 ? "a fault" : count + " faults")
                .append(" in the declared feeds.");
        byFeed.forEach((feed, faults) -> {
            message.append("\n  feed ").append(feed);
            faults.forEach(fault -> message.append("\n    - ").append(fault.describe()));
        });
        return message.toString();
    }
}

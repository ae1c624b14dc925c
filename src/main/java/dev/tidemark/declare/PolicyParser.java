package dev.tidemark.declare;

import dev.tidemark.feed.Feed.CountPolicy;
import dev.tidemark.feed.Feed.Delta;
import dev.tidemark.feed.Feed.Limits;
import dev.tidemark.feed.Feed.Policy;
import dev.tidemark.feed.Feed.Search;
import dev.tidemark.feed.Feed.UniversalPolicy;
import dev.tidemark.feed.TextSources;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Parses the properties that define how a feed is served. An invalid property is recorded as a fault, and parsing
 * continues.
 */
final class PolicyParser {

    static final String SEARCH = "search";

    /** The smallest {@code search.scan} that a feed may declare. */
    private static final int SMALLEST_SCAN = 1000;

    /** The largest {@code search.scan} that a feed may declare. */
    private static final int LARGEST_SCAN = 100_000;

    /** The largest {@code count-cap} that a feed may declare. */
    private static final int LARGEST_COUNT_CAP = 10_000_000;

    /** The largest {@code universal.max-offset} that a feed may declare. */
    private static final int LARGEST_MAX_OFFSET = 1_000_000;

    /** The default of {@code delta-max}, unless {@code limit.max} is larger. */
    private static final int DEFAULT_DELTA_MAX = 1000;

    private final FeedProperties properties;
    private final Faults.FeedFaults faults;

    PolicyParser(FeedProperties properties, Faults.FeedFaults faults) {
        this.properties = properties;
        this.faults = faults;
    }

    Policy parse() {
        Limits limits = limits();
        return new Policy(limits, count(), cacheControl(), universal(), search(), delta(limits));
    }

    private Limits limits() {
        properties.addFaultUnlessMap("limit", "a map, such as {default: 30, max: 100}", faults);
        int max = parseNumber(100, 1, Limits.LARGEST_PAGE, "limit", "max");
        int byDefault = parseNumber(Math.min(30, max), 1, max, "limit", "default");
        int webDefault = parseNumber(Math.min(50, max), 1, max, "limit", "web-default");
        return new Limits(byDefault, webDefault, max);
    }

    private CountPolicy count() {
        CountPolicy.Precision maxPrecision = properties
                .text("count")
                .flatMap(text -> faults.parseConstant(CountPolicy.Precision.class, text, "count"))
                .orElse(CountPolicy.Precision.NONE);
        return new CountPolicy(maxPrecision, parseNumber(10_000, 1, LARGEST_COUNT_CAP, "count-cap"));
    }

    private UniversalPolicy universal() {
        properties.addFaultUnlessMap("universal", "a map, such as {strategy: offset}", faults);
        UniversalPolicy.Strategy strategy = properties
                .text("universal", "strategy")
                .flatMap(text -> faults.parseConstant(UniversalPolicy.Strategy.class, text, "universal.strategy"))
                .orElse(UniversalPolicy.Strategy.CURSOR);
        boolean backward = parseFlag(true, "universal", "backward");
        int maxOffset = parseNumber(10_000, 1, LARGEST_MAX_OFFSET, "universal", "max-offset");
        return new UniversalPolicy(strategy, backward, maxOffset);
    }

    /** Returns how many rows a search looks at. The columns are names until the table is known. */
    private Search search() {
        return new Search(List.of(), parseNumber(Search.DEFAULT_SCAN, SMALLEST_SCAN, LARGEST_SCAN, SEARCH, "scan"));
    }

    private Optional<Delta> delta(Limits limits) {
        int byDefault = Math.max(DEFAULT_DELTA_MAX, limits.max());
        int max = parseNumber(byDefault, limits.max(), Delta.LARGEST_PAGE, "delta-max");
        return parseFlag(false, "delta") ? Optional.of(new Delta(max, TextSources.NONE, "")) : Optional.empty();
    }

    private boolean parseFlag(boolean byDefault, String... path) {
        return flag(properties, faults, path).orElse(byDefault);
    }

    /** Returns the value of a property that is true or false, in any of the cases that YAML allows. */
    static Optional<Boolean> flag(FeedProperties properties, Faults.FeedFaults faults, String... path) {
        Optional<String> text = properties.text(path).map(value -> value.toLowerCase(Locale.ROOT));
        if (text.filter(value -> !value.equals("true") && !value.equals("false"))
                .isPresent()) {
            faults.add(String.join(".", path), "must be true or false");
        }
        return text.map("true"::equals);
    }

    private int parseNumber(int byDefault, int min, int max, String... path) {
        Optional<String> text = properties.text(path);
        if (text.isEmpty()) {
            return byDefault;
        }
        if (text.get().matches("\\d{1,9}")) {
            int value = Integer.parseInt(text.get());
            if (value >= min && value <= max) {
                return value;
            }
        }
        faults.add(String.join(".", path), "must be a whole number from " + min + " to " + max);
        return byDefault;
    }

    private String cacheControl() {
        String value = properties.text("cache-control").orElse("private, no-cache");
        if (value.chars().anyMatch(c -> c < ' ' || c > '~')) {
            faults.add("cache-control", "must be a header value in printable ASCII");
        }
        return value;
    }
}

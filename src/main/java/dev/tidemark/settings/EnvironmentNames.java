package dev.tidemark.settings;

import dev.tidemark.naming.NearestName;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks the environment variables whose names begin with {@code TIDEMARK_}. The framework silently ignores unknown
 * ones.
 */
public final class EnvironmentNames {

    public static final Set<String> KNOWN = Set.of(
            "TIDEMARK_START_TIMEOUT",
            "TIDEMARK_FEEDS_RELOAD",
            "TIDEMARK_RECHECK_INTERVAL",
            "TIDEMARK_REQUIRE_INDEXES",
            "TIDEMARK_STATEMENT_TIMEOUT",
            "TIDEMARK_SEARCH_PATH",
            "TIDEMARK_REPLICA_MAX_LAG",
            "TIDEMARK_OPENAPI_RESTRICTED_FEEDS",
            "TIDEMARK_PIPELINED",
            "TIDEMARK_FREE_CONNECTIONS",
            "TIDEMARK_LONGEST_WAIT",
            "TIDEMARK_SINGLE_FLIGHT",
            "TIDEMARK_CURSOR_KEYS",
            "TIDEMARK_CURSOR_LIFETIME",
            "TIDEMARK_EXPORT_MAX_STREAMS",
            "TIDEMARK_EXPORT_STALLED_TIMEOUT",
            "TIDEMARK_FEED_BROWSER",
            "TIDEMARK_FRESH_MAX_STREAMS",
            "TIDEMARK_FRESH_HEARTBEAT",
            "TIDEMARK_FRESH_POLL_INTERVAL",
            "TIDEMARK_REQUEST_LOG_LINES_PER_SECOND");

    /**
     * Names that are not checked here: parts of feeds, which are checked with their feeds; elements of lists; settings
     * of the sample inbox and of tests; and variables that Kubernetes sets in each container if there is a service
     * named {@code tidemark}.
     */
    private static final Pattern OTHERS =
            Pattern.compile("TIDEMARK_(FEEDS_.*|.*_\\d+_|INBOX_.*|TEST_.*|SERVICE_(HOST|PORT).*|PORT(_.*)?)");

    private EnvironmentNames() {}

    /** @param names the names of all environment variables */
    public static List<String> faults(Collection<String> names) {
        return names.stream()
                .filter(name -> name.startsWith("TIDEMARK_"))
                .filter(name -> !KNOWN.contains(name) && !OTHERS.matcher(name).matches())
                .sorted()
                .map(name -> "there is no setting " + name
                        + NearestName.hint(name, KNOWN.stream().sorted().toList()))
                .toList();
    }
}

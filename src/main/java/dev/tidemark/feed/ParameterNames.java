package dev.tidemark.feed;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names of the query parameters of the HTTP interfaces. A feed must not declare a filter with one of these names.
 */
public final class ParameterNames {

    public static final String ORDER = "order";
    public static final String LIMIT = "limit";
    public static final String FIELDS = "fields";
    public static final String COUNT = "count";
    public static final String CURSOR = "cursor";

    /** The words of a search. */
    public static final String Q = "q";

    public static final String UNTIL = "until";
    public static final String SINCE = "since";

    /**
     * A parameter of event streams: scripts that replace {@code EventSource} send the header {@code Last-Event-ID} as
     * it.
     */
    public static final String LAST_EVENT_ID = "lastEventId";

    /** A parameter of counts by value. */
    public static final String BY = "by";

    /** A parameter of counts by value. */
    public static final String UP_TO = "up-to";

    public static final String FROM = "from";
    public static final String AROUND = "around";
    public static final String FROM_ID = "from_id";
    public static final String AROUND_ID = "around_id";

    /** A parameter of the universal protocol. */
    public static final String AFTER = "after";

    /** A parameter of the universal protocol. */
    public static final String BEFORE = "before";

    /** Parameters that choose a page by a value or an item, instead of by a cursor. */
    public static final List<String> JUMPS = List.of(FROM, AROUND, FROM_ID, AROUND_ID);

    /** Parameters of offset pagination, which some endpoints reject with a hint. */
    public static final List<String> OFFSETS = List.of("offset", "page", "skip");

    public static final Set<String> RESERVED = Stream.of(
                    List.of(ORDER, Q, LIMIT, FIELDS, COUNT, CURSOR, UNTIL, SINCE, LAST_EVENT_ID, BY, UP_TO),
                    JUMPS,
                    OFFSETS,
                    List.of(AFTER, BEFORE))
            .flatMap(List::stream)
            .collect(Collectors.toUnmodifiableSet());

    private ParameterNames() {}
}

package dev.tidemark.http.query;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.Count.Precision;
import dev.tidemark.feed.Order;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.paging.Direction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A query while its parameters are being read, one after another. */
public final class FeedQueryDraft {

    private final Feed feed;
    private final Lists lists;
    private final List<Condition> conditions = new ArrayList<>();
    private Order order;
    private Optional<String> cursor = Optional.empty();
    private Optional<JumpParameter> jump = Optional.empty();
    private Optional<UniversalToken> token = Optional.empty();
    private Optional<String> until = Optional.empty();
    private Optional<Precision> count = Optional.empty();
    private Optional<Integer> limit = Optional.empty();
    private Optional<Set<String>> fields = Optional.empty();

    FeedQueryDraft(Feed feed, Lists lists, Caller caller) {
        this.feed = feed;
        this.lists = lists;
        this.order = feed.orders().byDefault();
        this.conditions.addAll(caller.scope());
    }

    /** A number of any length; its lower bound is the query's. */
    void limit(String text) {
        limit = Optional.of(Math.min(whole(text), feed.policy().limits().max()));
    }

    /** Of a number that no int holds, the greatest or the smallest that is one. */
    private static int whole(String text) {
        boolean negative = text.startsWith("-");
        int start = negative || text.startsWith("+") ? 1 : 0;
        boolean whole = text.length() > start;
        long number = 0;
        for (int i = start; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            whole &= digit >= 0 && digit <= 9;
            number = Math.min(10 * number + digit, Integer.MAX_VALUE);
        }
        if (!whole) {
            throw Problem.with("limit", ProblemCode.INVALID_LIMIT, "limit is a whole number");
        }
        return (int) (negative ? -number : number);
    }

    void cursor(String token) {
        cursor = Optional.of(token);
    }

    void token(UniversalToken place) {
        if (token.isPresent()) {
            throw conflict("after", "before");
        }
        token = Optional.of(place);
    }

    /** The places exclude one another: a second one contradicts the first. */
    void jump(JumpParameter parameter) {
        if (jump.isPresent()) {
            throw conflict(parameter.name(), jump.get().name());
        }
        jump = Optional.of(parameter);
    }

    void until(String token) {
        until = Optional.of(token);
    }

    /** At most what the feed allows. */
    void count(String name) {
        Precision most = feed.policy().count().most();
        count = Stream.of(Precision.ESTIMATE, Precision.EXACT)
                .filter(precision -> precision.compareTo(most) <= 0)
                .filter(precision -> precision.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst();
        if (count.isEmpty()) {
            throw Problem.with(
                    "count",
                    ProblemCode.NOT_SUPPORTED,
                    "this feed gives its count " + (most == Precision.NONE ? "in no way" : "as: " + allowed(most)));
        }
    }

    private static String allowed(Precision most) {
        return most == Precision.EXACT ? "estimate, exact" : "estimate";
    }

    void order(String name) {
        order = feed.orders()
                .find(name)
                .orElseThrow(() -> Problem.with(
                        "order",
                        ProblemCode.UNKNOWN_ORDER,
                        "the orders of this feed: "
                                + feed.orders().all().stream().map(Order::name).collect(Collectors.joining(", "))));
    }

    void fields(String list) {
        Set<String> asked = new LinkedHashSet<>();
        for (String name : list.split(",", -1)) {
            if (feed.columns().stream().noneMatch(column -> column.name().equals(name))) {
                throw invalidFields("fields are some of: "
                        + feed.columns().stream().map(Column::name).collect(Collectors.joining(",")));
            }
            if (!asked.add(name)) {
                throw invalidFields(name + " is there twice");
            }
        }
        fields = Optional.of(asked);
    }

    void condition(Condition condition) {
        conditions.add(condition);
    }

    /** What is asked of a feed over the universal protocol. */
    public UniversalQuery universal() {
        if (token.isPresent()
                && token.get().direction() == Direction.BACKWARD
                && !feed.policy().universal().backward()) {
            throw Problem.with(
                    token.get().parameter(),
                    ProblemCode.NOT_SUPPORTED,
                    "this feed is read from its start on, and not back");
        }
        return new UniversalQuery(
                lists.of(order, conditions),
                token,
                limit.orElseThrow(() -> Problem.with(
                        "limit", ProblemCode.MISSING_PARAMETER, "limit is missing: the rows wanted, 0 or more")));
    }

    /**
     * What is asked of a feed by cursors.
     *
     * @param web whether the client says it is no phone
     */
    public FeedQuery page(boolean web) {
        if (jump.isPresent() && cursor.isPresent()) {
            throw conflict(jump.get().name(), "cursor");
        }
        if (jump.isPresent() && until.isPresent()) {
            throw conflict("until", jump.get().name());
        }
        Feed.Limits limits = feed.policy().limits();
        return new FeedQuery(
                lists.of(order, conditions),
                cursor,
                jump.map(parameter -> parameter.read(feed, order)),
                until,
                limit.orElse(web ? limits.web() : limits.byDefault()),
                fields,
                count);
    }

    private static Problem conflict(String one, String other) {
        return Problem.with(one, ProblemCode.CONFLICTING_PARAMETERS, one + " and " + other + " exclude one another");
    }

    private static Problem invalidFields(String why) {
        return Problem.with("fields", ProblemCode.INVALID_FIELDS, why);
    }
}

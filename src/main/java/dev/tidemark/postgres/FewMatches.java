package dev.tidemark.postgres;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.postgres.connection.QueryRunner.Result;
import dev.tidemark.postgres.connection.ReadPreference;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.ListShape;
import dev.tidemark.postgres.sql.TextIndexPlan;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Finds out of which searches so few rows are expected to match that an index on text finds them all for about what a
 * page in the list's order can cost. PostgreSQL estimates this for the words of the search. Remembers the answers for
 * a while. Thread-safe.
 */
class FewMatches {

    /** How long an answer is used. The pages of a scroll, and those of clients with the same search, share it. */
    private static final Duration LIFETIME = Duration.ofMinutes(5);

    /** Clients choose the searches. Before a further answer is kept, all of this many are dropped. */
    private static final int MAX_KEPT = 10_000;

    private final Database database;

    /** By the hash codes of the lists. If two lists share an answer, the pages of one cost more, but are the same. */
    private final Map<Integer, Answer> answers = new ConcurrentHashMap<>();

    private record Answer(boolean few, long atNanos) {}

    FewMatches(Database database) {
        this.database = database;
    }

    /** Whether the pages of the search should be read through an index on text. */
    Uni<Boolean> areExpected(ListState state, ReadPreference preference) {
        ListShape list = ListShape.of(state);
        if (!list.hasTextIndex(state.feed())) {
            return Uni.createFrom().item(false);
        }
        Answer known = answers.get(state.hashCode());
        if (known != null && System.nanoTime() - known.atNanos() < LIFETIME.toNanos()) {
            return Uni.createFrom().item(known.few());
        }
        List<String> parameters = new ArrayList<>();
        list.bind(state, parameters);
        int scan = state.feed().policy().search().scan();
        return database.read(
                        TextIndexPlan.statement(state),
                        parameters,
                        () -> RowReceiver.of(Collectors.mapping(row -> row.getJson(0), Collectors.toList())),
                        preference)
                .map(Result::value)
                .map(explained -> TextIndexPlan.of(explained.get(0)))
                // A page that looks at this many rows can read a page of the table for each of them.
                .map(plan -> plan.usesTextIndex() && plan.rows() <= scan && plan.cost() <= 2.0 * scan)
                .invoke(few -> remember(state, few))
                .onFailure(FewMatches::isOutOfTime)
                .recoverWithItem(false);
    }

    /** Records that a page of the search could not be read through an index on text: more rows match, or seem to. */
    void recordTooMany(ListState state) {
        remember(state, false);
    }

    private void remember(ListState state, boolean few) {
        if (answers.size() >= MAX_KEPT) {
            answers.clear();
        }
        answers.put(state.hashCode(), new Answer(few, System.nanoTime()));
    }

    /** Whether the same page may still be read in the list's order. */
    static boolean isOutOfTime(Throwable failure) {
        return failure instanceof ReadFailure read
                && switch (read.reason()) {
                    case TIMEOUT, OVERLOADED, LOCKED -> true;
                    case UNAVAILABLE, FEED_UNAVAILABLE, UNREPRESENTABLE -> false;
                };
    }
}

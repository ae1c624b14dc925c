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
 * page in the list's order can cost. PostgreSQL estimates this for the words of the search, which takes about 1 ms.
 * Remembers for a while of which searches it is not so. Thread-safe.
 */
class FewMatches {

    /** How long an answer is used. The pages of a scroll, and those of clients with the same search, share it. */
    private static final Duration LIFETIME = Duration.ofMinutes(1);

    /** Clients choose the searches. Before a further answer is kept, all of this many are dropped. */
    private static final int MAX_KEPT = 10_000;

    private final Database database;

    /**
     * When too many rows were expected or found, by the hash codes of the lists. If two lists share an answer, the
     * pages of one cost more, but are the same.
     */
    private final Map<Integer, Long> manyAtNanos = new ConcurrentHashMap<>();

    FewMatches(Database database) {
        this.database = database;
    }

    /** Whether the page of the search should be read through an index on text. */
    Uni<Boolean> areExpected(ListState state, ReadPreference preference) {
        ListShape list = ListShape.of(state);
        if (!list.hasTextIndex(state.feed()) || isKnownAsMany(state)) {
            return Uni.createFrom().item(false);
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
                .invoke(few -> {
                    if (!few) {
                        recordMany(state);
                    }
                })
                // The read in the list's order, over another connection, succeeds or fails for the same reason.
                .onFailure(ReadFailure.class)
                .recoverWithItem(false);
    }

    private boolean isKnownAsMany(ListState state) {
        Long atNanos = manyAtNanos.get(state.hashCode());
        return atNanos != null && System.nanoTime() - atNanos < LIFETIME.toNanos();
    }

    /** Records that more rows match than a page may look at, or that the index did not find them in time. */
    void recordMany(ListState state) {
        if (manyAtNanos.size() >= MAX_KEPT) {
            manyAtNanos.clear();
        }
        manyAtNanos.put(state.hashCode(), System.nanoTime());
    }
}

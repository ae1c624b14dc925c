package dev.tidemark.http.page;

import dev.tidemark.feed.FeedHealth;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.http.access.Admission;
import dev.tidemark.http.access.Caller;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;

/**
 * Finds the feed of a request, and admits the caller. Answers a request once more if the table has changed since its
 * feed was resolved, so that no request fails only because of that: requests that name a new label of an enum, in a
 * filter, in a jump, or in a cursor that a server with newer knowledge has sealed; those that name a label that has
 * just been renamed, which PostgreSQL rejects; and pages whose statement can miss rows, because an order key has lost
 * its NOT NULL constraint.
 */
@Singleton
public class FeedRequests {

    private static final Set<ProblemCode> PROBLEMS_OF_LABELS =
            Set.of(ProblemCode.INVALID_FILTER, ProblemCode.INVALID_ANCHOR, ProblemCode.CURSOR_MISMATCH);

    /** The longest wait for a check, which can block while a table is locked. The request is then rejected. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(2);

    private final ServedFeeds feeds;
    private final Admission admission;
    private final FeedHealth health;

    FeedRequests(ServedFeeds feeds, Admission admission, FeedHealth health) {
        this.feeds = feeds;
        this.admission = admission;
        this.health = health;
    }

    /** Answers a request for a feed. */
    @FunctionalInterface
    public interface Answer<T> {
        Uni<T> to(ServedFeed feed, Caller caller);
    }

    /**
     * Answers a request of a caller who may read the feed, and once more if its failure can be due to a change of the
     * table and the feed has been replaced since.
     *
     * @param answer called in the context of the request
     * @return fails as {@link Admission#admit} and the answer do
     * @throws Problem {@code unknown_feed} if no feed has this name
     */
    public <T> Uni<T> answer(String name, RoutingContext context, Answer<T> answer) {
        ServedFeed served = feeds.find(name);
        return admission.admit(served.feed(), context).chain(caller -> Uni.createFrom()
                .deferred(() -> answer.to(served, caller))
                .onFailure(failure -> canBeDueToChange(served, failure))
                .recoverWithUni(problem -> answerAgain(served, caller, answer, problem)));
    }

    private static boolean canBeDueToChange(ServedFeed served, Throwable failure) {
        return failure instanceof ReadFailure read && read.reason() == ReadFailure.Reason.FEED_UNAVAILABLE
                || failure instanceof Problem problem
                        && served.comparesEnums()
                        && PROBLEMS_OF_LABELS.contains(problem.code());
    }

    private <T> Uni<T> answerAgain(ServedFeed served, Caller caller, Answer<T> answer, Throwable problem) {
        Context context = Vertx.currentContext();
        return health.recheckChanged()
                .ifNoItem()
                .after(MAX_WAIT)
                .recoverWithItem(() -> null)
                .emitOn(task -> context.runOnContext(now -> task.run()))
                .chain(() -> {
                    ServedFeed current = feeds.find(served.feed().name());
                    return current.feed() == served.feed()
                            ? Uni.createFrom().failure(problem)
                            : answer.to(current, caller);
                });
    }
}

package dev.tidemark.http.problem;

import dev.tidemark.cursor.PositionTooLongException;
import dev.tidemark.feed.FeedHealth;
import dev.tidemark.feed.read.OversizedValueException;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.http.json.ItemTooLargeException;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/** Converts failures to read a page, and failures to seal its cursors, to problems. */
@Singleton
public class ReadProblems {

    static final Problem OVERSIZED_KEY = Problem.of(
            ProblemCode.NOT_SUPPORTED, "a value of the order's columns on this page is too long for a cursor");

    private final ProblemResponses responses;
    private final FeedHealth health;

    ReadProblems(ProblemResponses responses, FeedHealth health) {
        this.responses = responses;
        this.health = health;
    }

    /**
     * Returns the problem of any failure as JSON, for a response that has begun. Also counts the problem, so call this
     * once per request.
     */
    public byte[] recordAsJson(Throwable failure, RoutingContext context) {
        if (failure instanceof Problem problem) {
            return responses.respond(context, problem).body();
        } else if (failure instanceof ReadFailure read) {
            return responses.respond(context, problem(read)).body();
        } else if (failure instanceof PositionTooLongException tooLong) {
            return responses.respond(context, problem(tooLong)).body();
        } else if (failure instanceof OversizedValueException) {
            return responses.respond(context, OVERSIZED_KEY).body();
        } else if (failure instanceof ItemTooLargeException tooLarge) {
            return responses.respond(context, problem(tooLarge)).body();
        }
        return responses.respondToUnexpected(context, failure).body();
    }

    /**
     * Returns the problem of a failed read. Also starts a check of the feeds if the database rejected the statement,
     * because a table might have changed.
     */
    public Problem problem(ReadFailure failure) {
        // Rechecks only if the database rejected the statement: rechecking whenever the database is unavailable would
        // burden it while it recovers.
        if (failure.reason() == ReadFailure.Reason.FEED_UNAVAILABLE) {
            health.recheck().subscribe().with(rechecked -> {});
        }
        return switch (failure.reason()) {
            case UNAVAILABLE ->
                Problem.of(ProblemCode.UNAVAILABLE, "the database cannot be reached; see the server's log");
            case FEED_UNAVAILABLE -> Problem.FEED_UNAVAILABLE;
            case OVERLOADED ->
                Problem.of(ProblemCode.OVERLOADED, "too many requests are waiting for a database connection");
            case LOCKED -> Problem.of(ProblemCode.OVERLOADED, "a table of this feed is locked in the database");
            case UNREPRESENTABLE ->
                Problem.of(
                        ProblemCode.INVALID_FILTER,
                        "a value contains a character that the database encoding cannot represent");
            case TIMEOUT -> Problem.of(ProblemCode.TIMEOUT, "the statement was canceled because it took too long");
        };
    }

    public Problem problem(ItemTooLargeException tooLarge) {
        return Problem.of(
                ProblemCode.NOT_SUPPORTED,
                "this item has more than " + tooLarge.maxBytes() + " bytes of " + tooLarge.column()
                        + ", which is more than a page may have");
    }

    public Problem problem(PositionTooLongException tooLong) {
        return Problem.of(
                ProblemCode.NOT_SUPPORTED,
                "a value of " + tooLong.column().name() + " on this page is too long for a cursor");
    }
}

package dev.tidemark.http.query;

import dev.tidemark.cursor.MomentSealer;
import dev.tidemark.feed.Feed;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.paging.Moment;
import java.util.Optional;

/** A parameter or a header whose value is a moment, which is still sealed. */
public record MomentParameter(String name, String token) {

    /** Returns the moment in a query, if there is one. */
    public static Optional<MomentParameter> find(String name, QueryString query) {
        return query.value(name).map(token -> new MomentParameter(name, token));
    }

    /**
     * @param feed the feed whose items are read with this moment
     * @throws Problem {@code invalid_moment}
     */
    public Moment open(Feed feed, MomentSealer moments) {
        return moments.open(feed, token)
                .orElseThrow(() -> Problem.ofParameter(
                        name, ProblemCode.INVALID_MOMENT, name + " is not a moment that this server can open"));
    }

    /** Omits the token, because tokens must not appear in logs. */
    @Override
    public String toString() {
        return "MomentParameter[" + name + ']';
    }
}

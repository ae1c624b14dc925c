package dev.tidemark.http.page;

import dev.tidemark.feed.Feed;
import dev.tidemark.http.caching.Vary;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.FeedParameters;
import io.micrometer.core.instrument.MeterRegistry;

/** A feed with all that serving it needs and that does not change from request to request. */
public record ServedFeed(
        Feed feed, FeedParameters parameters, ItemWriter items, PageCounters pages, PageHeaders headers) {

    static ServedFeed of(Feed feed, MeterRegistry metrics, Vary vary) {
        return new ServedFeed(
                feed,
                FeedParameters.ofPages(feed),
                ItemWriter.of(feed),
                new PageCounters(feed, metrics),
                PageHeaders.of(feed, vary));
    }

    /** @throws Problem {@code not_supported}, of a feed without a key: it has no positions for cursors to name */
    public void requireCursors() {
        if (!feed.relation().hasKey()) {
            throw Problem.of(
                    ProblemCode.NOT_SUPPORTED,
                    "nothing tells the rows of this feed apart, so that it has no cursors; it is served at /v3/"
                            + feed.name());
        }
    }
}

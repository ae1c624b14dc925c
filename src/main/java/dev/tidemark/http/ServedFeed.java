package dev.tidemark.http;

import dev.tidemark.feed.Feed;
import io.micrometer.core.instrument.MeterRegistry;

/** A feed with all that serving it needs and that does not change from request to request. */
record ServedFeed(Feed feed, FeedParameters parameters, ItemWriter items, PageCounters pages, PageHeaders headers) {

    static ServedFeed of(Feed feed, MeterRegistry metrics, Vary vary) {
        return new ServedFeed(
                feed,
                FeedParameters.ofPages(feed),
                ItemWriter.of(feed),
                new PageCounters(feed, metrics),
                PageHeaders.of(feed, vary));
    }
}

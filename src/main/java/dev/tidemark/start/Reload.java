package dev.tidemark.start;

import dev.tidemark.declare.FeedRechecker;
import dev.tidemark.declare.FeedUsers;
import dev.tidemark.feed.Feeds;
import dev.tidemark.http.events.EventStreams;
import dev.tidemark.http.openapi.CurrentDocument;
import dev.tidemark.http.page.FeedListing;
import dev.tidemark.http.page.ServedFeeds;
import dev.tidemark.postgres.PgFeedReader;
import dev.tidemark.postgres.catalogue.PrivilegeCheck;
import jakarta.inject.Singleton;

/** Passes replaced feeds to everything that uses them. */
@Singleton
final class Reload implements FeedUsers {

    private final ServedFeeds served;
    private final CurrentDocument document;
    private final FeedListing listing;
    private final FeedRechecker rechecker;
    private final PgFeedReader reader;
    private final EventStreams streams;
    private final PrivilegeCheck privileges;

    Reload(
            ServedFeeds served,
            CurrentDocument document,
            FeedListing listing,
            FeedRechecker rechecker,
            PgFeedReader reader,
            EventStreams streams,
            PrivilegeCheck privileges) {
        this.served = served;
        this.document = document;
        this.listing = listing;
        this.rechecker = rechecker;
        this.reader = reader;
        this.streams = streams;
        this.privileges = privileges;
    }

    /** A feed is served and described before it is listed, and a removed feed is released last. */
    @Override
    public void replace(Feeds.Replacement replacement) {
        served.replace(replacement);
        document.forget();
        listing.replace(replacement);
        rechecker.forget(replacement);
        reader.release(replacement);
        streams.endReplaced();
        privileges.check(replacement.addedOrChanged());
    }
}

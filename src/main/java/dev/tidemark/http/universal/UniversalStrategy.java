package dev.tidemark.http.universal;

import dev.tidemark.feed.RowSink;
import dev.tidemark.http.query.UniversalQuery;
import io.smallrye.mutiny.Uni;

/** One way of paging under the universal protocol, which looks the same in all of them. */
interface UniversalStrategy {

    /**
     * @param rows takes the page's rows; of a query for no rows, one that proves what lies beyond its place
     * @throws Problem when the query's token leads nowhere
     */
    Uni<UniversalPage> read(UniversalQuery query, RowSink rows);
}

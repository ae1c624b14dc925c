package dev.tidemark.http.universal;

import dev.tidemark.feed.RowSink;
import io.smallrye.mutiny.Uni;

/** A way of paging under the universal protocol. */
interface UniversalStrategy {

    /**
     * @param rows receives the page's rows; for a query without rows, the one row that proves what lies beyond the place
     * @throws Problem if the query's token is invalid
     */
    Uni<UniversalPage> read(UniversalQuery query, RowSink rows);
}

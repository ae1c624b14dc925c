package dev.tidemark.http.universal;

import dev.tidemark.feed.read.RowSink;
import dev.tidemark.paging.Floor;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/** A way of paging under the universal protocol. */
interface UniversalStrategy {

    /**
     * Reads the page that the query requests.
     *
     * @param rows receives the page's rows; for a query with a limit of 0, the one row that proves that there are rows
     *     beyond the position
     * @throws Problem if the query's token is invalid
     */
    Uni<UniversalPaging> read(UniversalQuery query, RowSink rows);

    /**
     * Returns the database state that the page of the query's token has shown.
     *
     * @throws Problem if the query's token is invalid
     */
    Optional<Floor> floor(UniversalQuery query);
}

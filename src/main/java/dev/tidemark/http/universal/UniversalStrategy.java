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
     * @param rows receives the rows that are read, including the one that is read for a limit of 0
     * @throws Problem if the query's token is invalid
     */
    Uni<UniversalPaging> read(UniversalQuery query, RowSink rows);

    /**
     * Returns the floor of the query's token: a database state that includes everything on the page that the token
     * comes from. Empty if the query has no token or the token has no floor.
     *
     * @throws Problem if the query's token is invalid
     */
    Optional<Floor> floor(UniversalQuery query);
}

package dev.tidemark.declare;

import dev.tidemark.feed.Feed;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the database can tell of the relations that feeds are declared over. */
public interface Catalogue {

    /**
     * Waits for a database that cannot be reached yet; one that refuses is not waited for.
     *
     * @return a failure, whose message says why in the database's or the network's words, if it does not answer in time
     */
    Uni<Void> answers(Duration within);

    /** @param table as declared: schema-qualified or on the search path, quoted where SQL would have it quoted */
    Uni<Optional<Table>> find(String table);

    /** @return why {@code condition} is no condition on the table's rows, in the database's words; nothing if it is one */
    Uni<Optional<String>> faultOf(Table table, String condition);

    /**
     * Which lists of the feed no index serves: each order alone, and with each equality filter singly.
     *
     * @return a warning each, with the statement that would mend it where there is one
     */
    Uni<List<String>> unserved(Feed feed, Table table);
}

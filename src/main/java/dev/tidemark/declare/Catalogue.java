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
    Uni<Void> awaitConnection(Duration within);

    /**
     * @param tables as declared: schema-qualified or on the search path, quoted where SQL would have it quoted
     * @return each in its place; nothing where there is none of that name
     */
    Uni<List<Optional<Table>>> find(List<String> tables);

    /** @return for each of the conditions why it is none on its table's rows, in the database's words; nothing if it is one */
    Uni<List<Optional<String>>> checkConditions(List<Condition> conditions);

    /**
     * Which lists of the feeds no index serves: each order alone, and with each equality filter singly.
     *
     * @return a warning for each of these lists, feed by feed, with the statement that would mend it where there is one
     */
    Uni<List<List<String>>> missingIndexes(List<FeedOverTable> feeds);

    /** A condition in SQL, as it was declared, on the rows of a table. */
    record Condition(Table table, String sql) {}

    record FeedOverTable(Feed feed, Table table) {}
}

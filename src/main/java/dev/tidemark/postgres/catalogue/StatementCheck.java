package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.Feed;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;
import java.util.List;
import java.util.Optional;

/** Checks that the database accepts the statements of feeds, and that the role has the privileges for them. */
final class StatementCheck {

    private StatementCheck() {}

    /** See {@link dev.tidemark.declare.Catalogue#checkStatements}. */
    static Uni<List<Optional<String>>> faults(Pool pool, List<Feed> feeds) {
        return Multi.createFrom()
                .iterable(feeds)
                .onItem()
                .transformToUniAndConcatenate(
                        feed -> feed.relation().storage().shards().isPresent()
                                // Without the values of a request, Citus cannot plan a statement for one shard.
                                ? Uni.createFrom().item(Optional.<String>empty())
                                : pool.withConnection(connection -> fault(connection, feed)))
                .collect()
                .asList();
    }

    /** Sends all statements of a feed at once, and returns the first fault. */
    private static Uni<Optional<String>> fault(SqlConnection connection, Feed feed) {
        return Uni.join()
                .all(ExampleStatements.ofAllKinds(feed).entrySet().stream()
                        .map(example -> StatementPlans.generic(connection, example.getValue())
                                .map(plan -> Optional.<String>empty())
                                .onFailure(Rejections::isRejectedByDatabase)
                                .recoverWithItem(failure -> Optional.of("the " + example.getKey() + " cannot be read: "
                                        + ((PgException) failure).getErrorMessage())))
                        .toList())
                .andFailFast()
                .map(found -> found.stream().flatMap(Optional::stream).findFirst());
    }
}

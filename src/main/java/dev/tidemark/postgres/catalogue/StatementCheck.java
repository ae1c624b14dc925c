package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.Database;
import dev.tidemark.postgres.catalogue.PageStatements.PageStatement;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Has PostgreSQL plan a statement of each kind for each feed, as the role that reads the feeds. EXPLAIN checks the same
 * privileges on relations, columns, and functions as the statement itself.
 */
final class StatementCheck {

    private static final String NAME = "tidemark_check_";

    private final Pool pool;

    StatementCheck(Database database) {
        this.pool = new Pool(database.indexedPool());
    }

    Uni<List<Optional<String>>> faults(List<Feed> feeds) {
        return Multi.createFrom()
                .iterable(feeds)
                .onItem()
                .transformToUniAndConcatenate(this::fault)
                .collect()
                .asList();
    }

    private Uni<Optional<String>> fault(Feed feed) {
        // Without the values of a request, Citus cannot plan a statement for one shard.
        if (feed.relation().storage().shards().isPresent()) {
            return Uni.createFrom().item(Optional.empty());
        }
        List<PageStatement> pages = PageStatements.ofEachKind(feed);
        return pool.withConnection(connection -> Uni.join()
                .all(IntStream.range(0, pages.size())
                        .mapToObj(i -> fault(pages.get(i), NAME + i, connection))
                        .toList())
                .andFailFast()
                .map(found -> found.stream().flatMap(Optional::stream).findFirst())
                .call(fault -> fault.isPresent()
                        ? cleanUp(connection, pages.size())
                        : Uni.createFrom().voidItem())
                // For example, a table is locked. The connection returns to the pool of pages.
                .onFailure()
                .call(failure -> cleanUp(connection, pages.size())));
    }

    /**
     * Plans one statement. All statements of a feed are sent at once. If one is rejected, the following ones fail too,
     * because the transaction has failed; only the first fault is reported.
     */
    private static Uni<Optional<String>> fault(PageStatement page, String name, SqlConnection connection) {
        String arguments = page.parameterCount() == 0
                ? ""
                : '(' + String.join(", ", Collections.nCopies(page.parameterCount(), "NULL")) + ')';
        return connection
                .query("BEGIN READ ONLY; SET LOCAL plan_cache_mode = force_generic_plan; PREPARE " + name + " AS "
                        + page.statement().sql() + "; EXPLAIN EXECUTE " + name + arguments + "; DEALLOCATE " + name
                        + "; COMMIT")
                .execute()
                .map(planned -> Optional.<String>empty())
                .onFailure(Rejections::isRejectedByDatabase)
                .recoverWithItem(failure -> Optional.of(
                        "the " + page.page() + " cannot be read: " + ((PgException) failure).getErrorMessage()));
    }

    /** Removes what the rejected statement left behind. */
    private static Uni<Void> cleanUp(SqlConnection connection, int statementCount) {
        return Uni.join()
                .all(Stream.concat(
                                Stream.of("ROLLBACK"),
                                IntStream.range(0, statementCount).mapToObj(i -> "DEALLOCATE " + NAME + i))
                        .map(statement -> connection
                                .query(statement)
                                .execute()
                                // The other statements were not prepared.
                                .onFailure()
                                .recoverWithNull())
                        .toList())
                .andFailFast()
                .replaceWithVoid();
    }
}

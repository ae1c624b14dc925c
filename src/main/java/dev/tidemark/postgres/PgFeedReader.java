package dev.tidemark.postgres;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.FeedReader;
import dev.tidemark.feed.read.ReadFailure;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.paging.Floor;
import dev.tidemark.paging.OffsetPage;
import dev.tidemark.paging.OffsetRequest;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.connection.QueryRunner.Result;
import dev.tidemark.postgres.connection.ReadPreference;
import dev.tidemark.postgres.rows.RowReceiver;
import dev.tidemark.postgres.sql.ListShape;
import dev.tidemark.postgres.sql.LocateSql;
import dev.tidemark.postgres.sql.OffsetSql;
import dev.tidemark.postgres.sql.OrderStatements;
import dev.tidemark.postgres.sql.PageShape;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Usually reads a page with one prepared statement. Most statements that continue a list also look for the item at the
 * cursor. If there is no such item, or if two items tie there, no row is passed to the sink, and a second statement
 * reads the page. A search is preceded by an EXPLAIN, if an index on text can find its rows.
 */
@Singleton
public class PgFeedReader implements FeedReader {

    private final Database database;
    private final FewMatches fewMatches;
    private final Map<String, FeedStatements> byFeed = new ConcurrentHashMap<>();

    private record FeedStatements(Feed feed, Map<String, OrderStatements> byOrder) {}

    @Inject
    public PgFeedReader(Database database) {
        this(database, new FewMatches(database));
    }

    PgFeedReader(Database database, FewMatches fewMatches) {
        this.database = database;
        this.fewMatches = fewMatches;
    }

    @Override
    public Uni<Page> read(ListState state, PageRequest request, RowSink sink) {
        return read(state, request, sink, state.feed().policy().search().scan(), ReadPreference.ofPage(state, request));
    }

    @Override
    public Uni<Page> readAfterChange(ListState state, PageRequest request, RowSink sink) {
        return read(
                state,
                request,
                sink,
                state.feed().policy().search().largeScan(),
                ReadPreference.afterNotification(request.floor()));
    }

    @Override
    public boolean isServedByIndex(ListState state) {
        return switch (ListShape.of(state).statementKind(state.feed(), state.order())) {
            case INDEXED, ONE_SHARD -> true;
            case INDEXED_SEARCH, SEVERAL_SHARDS, TEXT_INDEXED, FREE -> false;
        };
    }

    private Uni<Page> read(
            ListState state, PageRequest request, RowSink sink, int maxScanned, ReadPreference preference) {
        OrderStatements statements = statements(state);
        PageShape shape = PageShape.of(state, request, maxScanned);
        return state.isSearch()
                ? readSearch(state, request, statements, shape, sink, preference)
                : readInOrder(state, request, statements, shape, sink, preference);
    }

    /**
     * Reads a page of a search through an index on text, if few rows are expected to match. Otherwise, and if too
     * many match or the statement fails, the page looks at rows in the list's order.
     */
    private Uni<Page> readSearch(
            ListState state,
            PageRequest request,
            OrderStatements statements,
            PageShape shape,
            RowSink sink,
            ReadPreference preference) {
        Uni<Page> inOrder =
                Uni.createFrom().deferred(() -> readInOrder(state, request, statements, shape, sink, preference));
        return fewMatches.areExpected(state, preference).chain(few -> {
            if (!few) {
                return inOrder;
            }
            return readRows(state, request, statements, shape.throughTextIndex(), sink, preference)
                    .map(Optional::of)
                    .onFailure(ReadFailure.class)
                    .recoverWithItem(failure -> {
                        if (failure.reason() == ReadFailure.Reason.TIMEOUT) {
                            fewMatches.recordMany(state);
                        }
                        return Optional.empty();
                    })
                    .chain(read -> {
                        if (read.isEmpty()) {
                            return inOrder;
                        }
                        if (read.get().value().hasTooManyMatches()) {
                            fewMatches.recordMany(state);
                            return inOrder;
                        }
                        return Uni.createFrom().item(page(read.get()));
                    });
        });
    }

    private Uni<Page> readInOrder(
            ListState state,
            PageRequest request,
            OrderStatements statements,
            PageShape shape,
            RowSink sink,
            ReadPreference preference) {
        Optional<PageShape> inclusiveShape = shape.includingPosition(statements.columns());
        return inclusiveShape.isEmpty()
                ? readFromGap(state, request, statements, shape, sink, preference)
                : readInclusive(state, request, statements, inclusiveShape.get(), sink, preference)
                        .chain(read -> read.value().isPresent()
                                ? Uni.createFrom().item(withFloor(read.value().get(), read.floor()))
                                : readFromGap(state, request, statements, shape, sink, preference));
    }

    /**
     * Reads a page with a statement that starts with the item at the cursor. The value of the result is empty if no
     * item is at the cursor's position anymore, or if another item ties with the one at this position.
     */
    private Uni<Result<Optional<Page>>> readInclusive(
            ListState state,
            PageRequest request,
            OrderStatements statements,
            PageShape shape,
            RowSink sink,
            ReadPreference preference) {
        return database.read(
                statements.page(shape),
                shape.parameters(state, request),
                () -> new InclusivePageReceiver(request, shape, statements.columns(), sink),
                preference);
    }

    /** Reads a page with a statement that, if the page continues from a gap, also scans the far side of this gap. */
    private Uni<Page> readFromGap(
            ListState state,
            PageRequest request,
            OrderStatements statements,
            PageShape shape,
            RowSink sink,
            ReadPreference preference) {
        return readRows(state, request, statements, shape, sink, preference).map(PgFeedReader::page);
    }

    private Uni<Result<PageReceiver>> readRows(
            ListState state,
            PageRequest request,
            OrderStatements statements,
            PageShape shape,
            RowSink sink,
            ReadPreference preference) {
        return database.read(
                statements.page(shape),
                shape.parameters(state, request),
                () -> new PageReceiver(request, shape, statements.columns(), sink),
                preference);
    }

    private static Page page(Result<PageReceiver> read) {
        return withFloor(read.value().page(), read.floor());
    }

    private static Page withFloor(Page page, Optional<Floor> floor) {
        return floor.isEmpty() ? page : page.withFloor(floor);
    }

    @Override
    public Uni<OffsetPage> read(ListState state, OffsetRequest request, RowSink sink) {
        ListShape list = ListShape.of(state);
        List<String> parameters = new ArrayList<>();
        list.bind(state, parameters);
        OffsetSql.bind(request, parameters);
        return database.read(
                        statements(state).offsetPage(list, request.direction()),
                        parameters,
                        () -> new OffsetReceiver(request, state.feed().valueCount(), sink),
                        ReadPreference.ofList(state, Optional.empty()))
                .map(Result::value);
    }

    /** A standby may lack an item that exists, so only the primary's answer that there is no such item counts. */
    @Override
    public Uni<Optional<FoundItem>> locate(ListState state, List<String> key, Optional<Floor> floor) {
        Uni<Optional<FoundItem>> located = locate(state, key, ReadPreference.ofList(state, floor));
        return database.severalHosts().isEmpty()
                ? located
                : located.chain(found -> found.isPresent()
                        ? Uni.createFrom().item(found)
                        : locate(state, key, ReadPreference.ofPrimary(floor)));
    }

    private Uni<Optional<FoundItem>> locate(ListState state, List<String> key, ReadPreference preference) {
        ListShape list = ListShape.of(state);
        List<String> parameters = new ArrayList<>(key);
        list.bind(state, parameters);
        return database.read(
                        statements(state).locate(list),
                        parameters,
                        () -> RowReceiver.of(Collectors.mapping(LocateSql::position, Collectors.toList())),
                        preference)
                .map(read -> read.value().stream().findFirst().map(position -> new FoundItem(position, read.floor())));
    }

    private OrderStatements statements(ListState state) {
        Feed feed = state.feed();
        FeedStatements statements = byFeed.get(feed.name());
        if (statements == null || statements.feed() != feed) {
            // The feed was not read before, or was replaced. In rare cases, a request that still reads the previous
            // version of the feed replaces this entry again.
            statements = new FeedStatements(feed, new ConcurrentHashMap<>());
            byFeed.put(feed.name(), statements);
        }
        return statements
                .byOrder()
                .computeIfAbsent(state.order().name(), name -> new OrderStatements(feed, state.order()));
    }
}

package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.CountPolicy;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.postgres.catalogue.ExampleLists.NamedList;
import dev.tidemark.postgres.sql.CountSql;
import dev.tidemark.postgres.sql.ListShape;
import dev.tidemark.postgres.sql.OrderStatements;
import dev.tidemark.postgres.sql.PageShape;
import dev.tidemark.postgres.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lists the statements that read or count items of a feed. */
final class PageStatements {

    private static final String FINDING_AN_ITEM = "finding an item";

    private PageStatements() {}

    /**
     * @param list the order, and the filter if there is one
     * @param page a description of the request, such as {@code first page}
     * @param parameterCount how many values the statement takes
     */
    record PageStatement(String list, String page, Statement statement, int parameterCount) {

        /**
         * Whether an index provides the order; also true for the statement that finds an item by its key, which needs
         * no order.
         */
        boolean isIndexed() {
            return statement.hasServingIndex() || page.equals(FINDING_AN_ITEM);
        }
    }

    /** The statements of requests with at most one filter. */
    static List<PageStatement> of(Feed feed) {
        List<PageStatement> all = new ArrayList<>();
        for (Order order : feed.orders().all()) {
            OrderStatements statements = new OrderStatements(feed, order);
            for (NamedList list : ExampleLists.of(feed, order)) {
                if (feed.relation().hasKey()) {
                    ExampleRequests requests = new ExampleRequests(list.state());
                    requests.pages().forEach((name, request) -> addStatements(all, list, statements, name, request));
                    all.add(statementThatLocatesItem(list, statements));
                    requests.freshCounts().forEach((name, request) -> addFreshCount(all, list, name, request));
                } else {
                    addOffsetPages(all, list, statements);
                }
                addExactCount(all, list);
            }
        }
        return all;
    }

    /**
     * One statement of each kind, for the default order without a filter. Together, they use all that other statements of
     * the feed need privileges for, apart from the columns of the other orders and of filters.
     */
    static List<PageStatement> ofEachKind(Feed feed) {
        Order order = feed.orders().byDefault();
        OrderStatements statements = new OrderStatements(feed, order);
        NamedList list = ExampleLists.of(feed, order).get(0);
        List<PageStatement> all = new ArrayList<>();
        if (feed.relation().hasKey()) {
            ExampleRequests requests = new ExampleRequests(list.state());
            requests.oneOfEachKind().forEach((name, request) -> addStatements(all, list, statements, name, request));
            all.add(statementThatLocatesItem(list, statements));
            Map.Entry<String, PageRequest> fresh =
                    requests.freshCounts().entrySet().iterator().next();
            addFreshCount(all, list, fresh.getKey(), fresh.getValue());
        } else {
            addOffsetPages(all, list, statements);
        }
        addExactCount(all, list);
        return all;
    }

    /** The statements of one request, in the order in which they are tried. */
    static List<PageStatement> of(ListState state, PageRequest request, OrderStatements statements) {
        List<PageStatement> tried = new ArrayList<>();
        addStatements(tried, new NamedList("", state), statements, "page", request);
        return tried;
    }

    /**
     * Adds the statements of a page. If there are two, the first one starts with the item at the cursor. If no such item
     * is found, or another item ties with it, the second statement reads the page.
     */
    private static void addStatements(
            List<PageStatement> all, NamedList list, OrderStatements statements, String name, PageRequest request) {
        ListState state = list.state();
        PageShape shape = PageShape.of(state, request);
        Optional<PageShape> inclusive = shape.includingPosition(statements.columns());
        int parameterCount = shape.parameters(state, request).size();
        inclusive.ifPresent(
                usual -> all.add(new PageStatement(list.name(), name, statements.page(usual), parameterCount)));
        all.add(new PageStatement(
                list.name(),
                inclusive.isPresent() ? name + " if the item at the cursor is gone" : name,
                statements.page(shape),
                parameterCount));
    }

    private static PageStatement statementThatLocatesItem(NamedList list, OrderStatements statements) {
        ListShape shape = ListShape.of(list.state());
        int keyColumnCount = list.state().feed().relation().key().size();
        return new PageStatement(
                list.name(), FINDING_AN_ITEM, statements.locate(shape), keyColumnCount + parameterCount(list));
    }

    private static void addFreshCount(List<PageStatement> all, NamedList list, String name, PageRequest request) {
        PageShape shape = PageShape.of(list.state(), request);
        int parameterCount = shape.parameters(list.state(), request).size();
        CountSql.countRemaining(list.state(), shape, FeedCounter.MAX_FRESH + 1)
                .ifPresent(statement -> all.add(new PageStatement(list.name(), name, statement, parameterCount)));
    }

    private static void addOffsetPages(List<PageStatement> all, NamedList list, OrderStatements statements) {
        ListShape shape = ListShape.of(list.state());
        for (Direction direction : Direction.values()) {
            Statement statement = statements.offsetPage(shape, direction);
            all.add(new PageStatement(
                    list.name(),
                    direction == Direction.FORWARD ? "page after an offset" : "page before an offset",
                    statement,
                    parameterCount(statement.sql())));
        }
    }

    private static void addExactCount(List<PageStatement> all, NamedList list) {
        Feed feed = list.state().feed();
        CountPolicy count = feed.policy().count();
        if (feed.countsExactly(count.maxPrecision())) {
            Statement statement = CountSql.countAll(list.state(), count.cap() + 1);
            all.add(new PageStatement(list.name(), "exact count", statement, parameterCount(list)));
        }
    }

    /** The number of parameters of the list's conditions. */
    private static int parameterCount(NamedList list) {
        List<String> values = new ArrayList<>();
        ListShape.of(list.state()).bind(list.state(), values);
        return values.size();
    }

    /** Returns the highest parameter number in the statement. */
    private static int parameterCount(String sql) {
        int number = 1;
        while (sql.contains("$" + number + "::")) {
            number++;
        }
        return number - 1;
    }
}

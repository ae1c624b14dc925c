package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.Order;
import dev.tidemark.feed.read.FeedCounter;
import dev.tidemark.feed.read.FeedCounter.CountsByValue;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Moment;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Pin;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.sql.CountSql;
import dev.tidemark.postgres.sql.ListShape;
import dev.tidemark.postgres.sql.OrderStatements;
import dev.tidemark.postgres.sql.PageShape;
import dev.tidemark.postgres.sql.Statement;
import dev.tidemark.postgres.sql.ValueCountSql;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Builds statements of a feed to be planned without the values of a request. */
final class ExampleStatements {

    /** Stands in for each value. Only the shape of a request matters. */
    private static final String ANY_VALUE = "0";

    private ExampleStatements() {}

    /**
     * @param list the order, and the filter if there is one
     * @param page such as {@code next page}
     */
    record ExampleStatement(String list, String page, Statement statement) {}

    /** For each order, the statement of a page without a filter, and one with each operator of each filter. */
    static List<ExampleStatement> ofLists(Feed feed) {
        List<ExampleStatement> all = new ArrayList<>();
        for (Order order : feed.orders().all()) {
            OrderStatements statements = new OrderStatements(feed, order);
            String name = "order " + order.name();
            all.add(ofList(name, statements, list(feed, order, List.of())));
            for (Filter filter : feed.filters().values()) {
                for (Filter.Operator operator : filter.operators()) {
                    String suffix = operator == Filter.Operator.EQ ? "" : "." + operator.wireName();
                    all.add(ofList(
                            name + ", filter " + filter.column().name() + suffix,
                            statements,
                            list(feed, order, List.of(condition(filter.column(), operator)))));
                }
            }
            for (Condition search : search(feed).toList()) {
                all.add(ofList(name + ", search", statements, list(feed, order, List.of(search))));
            }
        }
        return all;
    }

    private static ExampleStatement ofList(String name, OrderStatements statements, ListState list) {
        if (!list.feed().relation().hasKey()) {
            return new ExampleStatement(
                    name, "page after an offset", statements.offsetPage(ListShape.of(list), Direction.FORWARD));
        }
        PageShape shape = PageShape.of(list, nextPage(list));
        return new ExampleStatement(
                name,
                "next page",
                statements.page(shape.includingPosition(statements.columns()).orElse(shape)));
    }

    /**
     * Returns statements that together read every column and call every function that statements of the feed can need
     * privileges for: pages with all filters in each order, and one statement of each other kind.
     *
     * @return the statements by what they read, such as {@code first page}
     */
    static Map<String, Statement> ofAllKinds(Feed feed) {
        Map<String, Statement> all = new LinkedHashMap<>();
        Order byDefault = feed.orders().byDefault();
        OrderStatements statements = new OrderStatements(feed, byDefault);
        ListState list = list(feed, byDefault, List.of());
        if (feed.relation().hasKey()) {
            PageRequest first = new PageRequest(Optional.empty(), 1);
            all.put("first page", statements.page(PageShape.of(list, first)));
            if (feed.policy().delta().isPresent()) {
                PageRequest since = first.withSince(Optional.of(new Moment(ANY_VALUE, 0)));
                all.put("first page since a moment", statements.page(PageShape.of(list, since)));
            }
            for (Order order : feed.orders().all()) {
                ListState filtered = list(feed, order, conditions(feed));
                all.put(
                        "page by order " + order.name(),
                        new OrderStatements(feed, order).page(PageShape.of(filtered, nextPage(filtered))));
            }
            all.put("item with a key", statements.locate(ListShape.of(list)));
            CountSql.countRemaining(list, PageShape.of(list, nextPage(list)), FeedCounter.MAX_FRESH + 1)
                    .ifPresent(count -> all.put("number of fresh items", count));
        } else {
            for (Order order : feed.orders().all()) {
                ListShape filtered = ListShape.of(list(feed, order, conditions(feed)));
                all.put(
                        "page by order " + order.name(),
                        new OrderStatements(feed, order).offsetPage(filtered, Direction.FORWARD));
            }
        }
        all.put("number of items", CountSql.countAll(list, 1));
        for (Column by : feed.counts()) {
            all.put(
                    "counts by " + by.name(),
                    ValueCountSql.statement(new CountsByValue(list, by, Optional.empty(), 1)));
        }
        return all;
    }

    private static PageRequest nextPage(ListState list) {
        Order order = list.order();
        Position position =
                Position.of(Collections.nCopies(order.keys().size(), ANY_VALUE).toArray(String[]::new));
        Optional<Pin> pin = order.needsPin() ? Optional.of(new Pin(Optional.of(ANY_VALUE))) : Optional.empty();
        return new PageRequest(
                Optional.of(new Continuation(Gap.after(position), Direction.FORWARD, pin)),
                list.feed().policy().limits().byDefault());
    }

    /**
     * One condition for each operator of each filter, apart from the test for NULL: of a column that is NOT NULL, it
     * is false for the planner, which would then plan nothing else.
     */
    private static List<Condition> conditions(Feed feed) {
        return Stream.concat(
                        feed.filters().values().stream().flatMap(filter -> filter.operators().stream()
                                .filter(operator -> operator != Filter.Operator.IS)
                                .map(operator -> condition(filter.column(), operator))),
                        search(feed))
                .toList();
    }

    private static Stream<Condition> search(Feed feed) {
        List<Column> columns = feed.policy().search().columns();
        return columns.isEmpty() ? Stream.empty() : Stream.of(new Condition.Search(columns, List.of(ANY_VALUE)));
    }

    private static Condition condition(Column column, Filter.Operator operator) {
        return switch (operator) {
            case EQ -> new Condition.AnyOf(column, List.of(ANY_VALUE));
            case GTE, GT, LTE, LT -> new Condition.Comparison(column, operator, ANY_VALUE);
            case PREFIX -> new Condition.Prefix(column, ANY_VALUE);
            case CONTAINS -> new Condition.Contains(column, ANY_VALUE);
            case IS -> new Condition.Nullness(column, true);
        };
    }

    private static ListState list(Feed feed, Order order, List<Condition> filters) {
        List<Condition> conditions = new ArrayList<>();
        for (Access.Scope scope : feed.access().scope()) {
            conditions.add(
                    scope instanceof Access.Membership membership
                            ? new Condition.InMembership(
                                    membership,
                                    Collections.nCopies(membership.where().size(), ANY_VALUE))
                            : new Condition.InScope(scope.column(), ANY_VALUE));
        }
        conditions.addAll(filters);
        return new ListState(feed, order, conditions);
    }
}

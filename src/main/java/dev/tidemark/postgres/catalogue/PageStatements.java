package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.Order;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.PageRequest;
import dev.tidemark.paging.Pin;
import dev.tidemark.paging.Position;
import dev.tidemark.postgres.sql.ListShape;
import dev.tidemark.postgres.sql.OrderStatements;
import dev.tidemark.postgres.sql.OrderStatements.Statement;
import dev.tidemark.postgres.sql.PageShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Every statement with which clients can read pages of a feed with at most one filter. */
final class PageStatements {

    /** Stands in for each value. Only the shape of a request matters. */
    private static final String ANY = "0";

    private static final String FINDING = "finding an item";

    private PageStatements() {}

    /** @param parameters how many values the statement takes */
    record PageStatement(String list, String page, Statement statement, int parameters) {

        /** An item is found by its key, without an order. */
        boolean isIndexed() {
            return statement.indexed() || page.equals(FINDING);
        }
    }

    private record NamedList(String name, ListState state) {}

    static List<PageStatement> of(Feed feed) {
        List<PageStatement> all = new ArrayList<>();
        for (Order order : feed.orders().all()) {
            OrderStatements statements = new OrderStatements(feed, order);
            for (NamedList list : lists(feed, order)) {
                if (feed.relation().hasKey()) {
                    all.addAll(pages(list, statements));
                } else {
                    all.addAll(offsetPages(list, statements));
                }
            }
        }
        return all;
    }

    private static List<NamedList> lists(Feed feed, Order order) {
        List<NamedList> lists = new ArrayList<>();
        String name = "order " + order.name();
        lists.add(new NamedList(name, state(feed, order, Optional.empty())));
        for (Filter filter : feed.filters().values()) {
            Column column = filter.column();
            for (Filter.Operator operator : filter.operators()) {
                Condition condition =
                        switch (operator) {
                            case EQ -> new Condition.AnyOf(column, List.of(ANY));
                            case GTE, GT, LTE, LT -> new Condition.Compared(column, operator, ANY);
                            case PREFIX -> new Condition.Prefix(column, ANY);
                            case CONTAINS -> new Condition.Contains(column, ANY);
                            case IS -> new Condition.Nullness(column, true);
                        };
                String suffix = operator == Filter.Operator.EQ ? "" : "." + operator.wireName();
                lists.add(new NamedList(
                        name + ", filter " + column.name() + suffix, state(feed, order, Optional.of(condition))));
            }
        }
        return lists;
    }

    private static ListState state(Feed feed, Order order, Optional<Condition> filter) {
        List<Condition> conditions = new ArrayList<>();
        for (Access.Scope scope : feed.access().scope()) {
            conditions.add(new Condition.Scoped(scope.column(), ANY));
        }
        filter.ifPresent(conditions::add);
        return new ListState(feed, order, conditions);
    }

    private static List<PageStatement> pages(NamedList list, OrderStatements statements) {
        ListState state = list.state();
        int limit = state.feed().policy().limits().byDefault();
        Position item =
                Position.of(state.order().keys().stream().map(key -> ANY).toArray(String[]::new));
        List<PageStatement> pages = new ArrayList<>();
        pages.add(page(list, statements, "first page", new PageRequest(Optional.empty(), limit)));
        pages.add(page(
                list,
                statements,
                "first page, until a cursor",
                new PageRequest(Optional.empty(), limit, OptionalInt.empty(), Optional.of(Gap.before(item)))));
        addPages(pages, list, statements, "next page", item, Direction.FORWARD);
        addPages(pages, list, statements, "previous page", item, Direction.BACKWARD);
        if (state.order().keys().get(0).column().nullable()) {
            String[] values = new String[item.size()];
            for (int i = 1; i < values.length; i++) {
                values[i] = ANY;
            }
            addPages(pages, list, statements, "next page after a NULL", Position.of(values), Direction.FORWARD);
            addPages(pages, list, statements, "previous page before a NULL", Position.of(values), Direction.BACKWARD);
        }
        Optional<Continuation> value = Optional.of(new Continuation(Gap.before(Position.of(ANY)), Direction.FORWARD));
        pages.add(page(list, statements, "jump from a value", new PageRequest(value, limit)));
        pages.add(page(
                list,
                statements,
                "jump around a value",
                new PageRequest(value, limit, OptionalInt.of(limit / 2), Optional.empty())));
        List<String> parameters = new ArrayList<>(
                state.feed().relation().key().stream().map(column -> ANY).toList());
        ListShape.of(state).bind(state, parameters);
        pages.add(new PageStatement(list.name(), FINDING, statements.locate(ListShape.of(state)), parameters.size()));
        return pages;
    }

    /** The statements of one request, in the sequence in which they are tried. */
    static List<PageStatement> of(ListState state, PageRequest request, OrderStatements statements) {
        List<PageStatement> tried = new ArrayList<>();
        addPages(tried, new NamedList("", state), statements, "page", request);
        return tried;
    }

    private static void addPages(
            List<PageStatement> pages,
            NamedList list,
            OrderStatements statements,
            String name,
            Position item,
            Direction direction) {
        ListState state = list.state();
        boolean forward = direction == Direction.FORWARD;
        Optional<Pin> pin =
                forward && state.order().isPinned() ? Optional.of(new Pin(Optional.of(ANY))) : Optional.empty();
        Gap gap = forward ? Gap.after(item) : Gap.before(item);
        addPages(
                pages,
                list,
                statements,
                name,
                new PageRequest(
                        Optional.of(new Continuation(gap, direction, pin)),
                        state.feed().policy().limits().byDefault()));
    }

    /** A page starts with the item at its cursor; if that item is gone, another statement reads it. */
    private static void addPages(
            List<PageStatement> pages, NamedList list, OrderStatements statements, String name, PageRequest request) {
        ListState state = list.state();
        PageShape shape = PageShape.of(state, request);
        Optional<PageShape> including = shape.includingPosition(statements.columns());
        int parameters = shape.parameters(state, request).size();
        including.ifPresent(
                usual -> pages.add(new PageStatement(list.name(), name, statements.page(usual), parameters)));
        pages.add(new PageStatement(
                list.name(),
                including.isPresent() ? name + " if the item at the cursor is gone" : name,
                statements.page(shape),
                parameters));
    }

    private static PageStatement page(NamedList list, OrderStatements statements, String name, PageRequest request) {
        PageShape shape = PageShape.of(list.state(), request);
        return new PageStatement(
                list.name(),
                name,
                statements.page(shape),
                shape.parameters(list.state(), request).size());
    }

    private static List<PageStatement> offsetPages(NamedList list, OrderStatements statements) {
        ListShape shape = ListShape.of(list.state());
        List<PageStatement> pages = new ArrayList<>();
        for (Direction direction : Direction.values()) {
            Statement statement = statements.offsetPage(shape, direction);
            pages.add(new PageStatement(
                    list.name(),
                    direction == Direction.FORWARD ? "page after an offset" : "page before an offset",
                    statement,
                    parameters(statement.sql())));
        }
        return pages;
    }

    /** The highest number of a parameter. */
    private static int parameters(String sql) {
        int number = 1;
        while (sql.contains("$" + number + "::")) {
            number++;
        }
        return number - 1;
    }
}

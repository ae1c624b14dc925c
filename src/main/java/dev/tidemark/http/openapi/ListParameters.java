package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createParameter;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.Order;
import dev.tidemark.http.page.FeedListing;
import dev.tidemark.http.query.FilterParameter;
import dev.tidemark.naming.ParameterNames;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/**
 * Describes the parameters that select a list of a feed: the order and the filters. All operations of a feed share
 * them.
 */
record ListParameters(Feed feed, ColumnSchemas schemas, SharedComponents shared) {

    /** References to the parameters. */
    List<Parameter> parameters() {
        List<Parameter> references = new ArrayList<>();
        references.add(shared.parameter(feed.name(), order()));
        for (Filter filter : feed.filters().values()) {
            for (Filter.Operator operator : filter.operators()) {
                String name = new FilterParameter(filter.column(), operator).name();
                references.add(shared.parameter(feed.name(), filter(name, filter.column(), operator)));
            }
        }
        return references;
    }

    private Parameter order() {
        List<Order> all = feed.orders().all();
        return queryParameter(
                        ParameterNames.ORDER,
                        "The order of the list.\n\n"
                                + all.stream()
                                        .map(order -> "- `" + order.name() + "`: `" + FeedListing.orderBy(order) + '`')
                                        .collect(Collectors.joining("\n")))
                .schema(Schemas.enumeration(all.stream().map(Order::name).toList())
                        .defaultValue(feed.orders().byDefault().name()));
    }

    private Parameter filter(String name, Column column, Filter.Operator operator) {
        String items = "Only items whose `" + column.name() + "` ";
        return switch (operator) {
            case EQ ->
                queryParameter(
                                name,
                                items + "is one of these values. Repeat the parameter for each value, at most "
                                        + FilterParameter.MAX_VALUES + " times.")
                        .style(Parameter.Style.FORM)
                        .explode(true)
                        .schema(Schemas.list(schemas.ofValue(column))
                                .minItems(1)
                                .maxItems(FilterParameter.MAX_VALUES));
            case GTE ->
                queryParameter(name, items + "is this value or greater.").schema(schemas.ofValue(column));
            case GT ->
                queryParameter(name, items + "is greater than this value.").schema(schemas.ofValue(column));
            case LTE -> queryParameter(name, items + "is this value or less.").schema(schemas.ofValue(column));
            case LT -> queryParameter(name, items + "is less than this value.").schema(schemas.ofValue(column));
            case PREFIX ->
                queryParameter(name, items + "begins with this text, case-sensitively.")
                        .schema(Schemas.text());
            case CONTAINS ->
                queryParameter(name, items + "contains this text, case-insensitively.")
                        .schema(Schemas.text());
            case IS ->
                queryParameter(name, items + "is NULL (`null`) or is not NULL (`notnull`).")
                        .schema(Schemas.enumeration(List.of("null", "notnull")));
        };
    }

    static Parameter queryParameter(String name, String description) {
        return createParameter().name(name).in(Parameter.In.QUERY).description(description);
    }
}

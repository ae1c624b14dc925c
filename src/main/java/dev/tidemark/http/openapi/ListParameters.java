package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createParameter;
import static org.eclipse.microprofile.openapi.OASFactory.createSchema;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Filter;
import dev.tidemark.feed.Order;
import dev.tidemark.http.page.FeedCatalogue;
import dev.tidemark.http.query.FilterParameter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/** Describes the parameters that select a list of a feed, its order and filters, for the OpenAPI document. */
record ListParameters(Feed feed) {

    List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>();
        parameters.add(query("order", orders())
                .schema(createSchema()
                        .addType(SchemaType.STRING)
                        .enumeration(List.copyOf(
                                feed.orders().all().stream().map(Order::name).toList()))
                        .defaultValue(feed.orders().byDefault().name())));
        for (Filter filter : feed.filters().values()) {
            filter.operators().forEach(operator -> parameters.add(filter(filter.column(), operator)));
        }
        return parameters;
    }

    private String orders() {
        return feed.orders().all().stream()
                .map(order -> order.name() + ": " + FeedCatalogue.by(order))
                .collect(Collectors.joining("; "));
    }

    private static Parameter filter(Column column, Filter.Operator operator) {
        String name = new FilterParameter(column, operator).name();
        Schema value = ColumnSchemas.parameter(column);
        return switch (operator) {
            case EQ ->
                query(name, "Matches any of these values")
                        .style(Parameter.Style.FORM)
                        .explode(true)
                        .schema(list(value).maxItems(FilterParameter.MAX_VALUES));
            case GTE -> query(name, "At least").schema(value);
            case GT -> query(name, "More than").schema(value);
            case LTE -> query(name, "At most").schema(value);
            case LT -> query(name, "Less than").schema(value);
            case PREFIX -> query(name, "Starts with this text; case-sensitive").schema(value);
            case CONTAINS ->
                query(name, "Contains this text; not case-sensitive").schema(value);
            case IS ->
                query(name, "Whether the value is NULL")
                        .schema(createSchema().addType(SchemaType.STRING).enumeration(List.of("null", "notnull")));
        };
    }

    static Schema list(Schema items) {
        return createSchema().addType(SchemaType.ARRAY).minItems(1).items(items);
    }

    static Parameter query(String name, String description) {
        return createParameter().name(name).in(Parameter.In.QUERY).description(description);
    }
}

package dev.tidemark.http.openapi;

import static dev.tidemark.http.openapi.ListParameters.queryParameter;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.CountPolicy.Precision;
import dev.tidemark.http.query.FieldNames;
import dev.tidemark.naming.ParameterNames;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/** Describes the parameters of a feed's pages for the OpenAPI document. */
record PageParameters(FeedDescription feedDescription) {

    List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>();
        parameters.add(share(limit()));
        parameters.add(share(cursor()));
        parameters.addAll(feedDescription.listParameters().parameters());
        parameters.add(fields());
        if (feed().policy().count().maxPrecision() != Precision.NONE) {
            parameters.add(share(count()));
        }
        jumps().forEach(jump -> parameters.add(share(jump)));
        parameters.add(share(until()));
        if (feed().policy().delta().isPresent()) {
            parameters.add(share(since()));
        }
        return parameters;
    }

    private Parameter share(Parameter definition) {
        return feedDescription.shared().parameter(feed().name(), definition);
    }

    private Parameter cursor() {
        return tokenParameter(
                ParameterNames.CURSOR,
                "Where to continue: any cursor of a page with the same order and filters. By default, the page begins at"
                        + " the start of the list.");
    }

    private Parameter limit() {
        Feed.Limits limits = feed().policy().limits();
        String web = limits.webDefault() == limits.byDefault()
                ? ""
                : " For clients that send `Sec-CH-UA-Mobile: ?0`, the default is " + limits.webDefault() + '.';
        String since = feed().policy()
                .delta()
                .map(delta -> " With `since`, the maximum is " + delta.max() + '.')
                .orElse("");
        return queryParameter(
                        ParameterNames.LIMIT,
                        "The number of items. Larger numbers are reduced to the maximum, " + limits.max() + '.' + since
                                + web)
                .schema(Schemas.integer().minimum(BigDecimal.ONE).defaultValue(limits.byDefault()));
    }

    Parameter fields() {
        return queryParameter(
                        ParameterNames.FIELDS,
                        "The columns to include in each item. By default, all columns are included.")
                .style(Parameter.Style.FORM)
                .explode(false)
                .schema(Schemas.list(Schemas.enumeration(FieldNames.all(feed())))
                        .minItems(1));
    }

    private Parameter count() {
        Feed.CountPolicy count = feed().policy().count();
        return queryParameter(
                        ParameterNames.COUNT,
                        "Adds the number of items in the whole list. An exact count stops at " + count.cap() + '.')
                .schema(Schemas.enumeration(
                        count.maxPrecision() == Precision.EXACT ? List.of("estimate", "exact") : List.of("estimate")));
    }

    private Parameter until() {
        return tokenParameter(
                ParameterNames.UNTIL,
                "Where to stop: a cursor of a page with the same order and filters. `has_more` then says whether there"
                        + " are items between the page and that cursor. Cannot be combined with a cursor that reads"
                        + " backward or, except in an export, with `from`, `around`, `from_id`, or `around_id`.");
    }

    private Parameter since() {
        return tokenParameter(
                ParameterNames.SINCE,
                "The `moment` of an earlier page. The page then contains the `keys` of all its items, and only the"
                        + " items that were written since.");
    }

    private List<Parameter> jumps() {
        String value = " this value of the first column of the order: "
                + feed().orders().all().stream()
                        .map(order -> '`' + order.keys().get(0).column().name() + "` in `" + order.name() + '`')
                        .collect(Collectors.joining(", "))
                + ". `cursor`, `from`, `around`, `from_id`, and `around_id` are mutually exclusive.";
        List<Column> key = feed().relation().key();
        String item = " the item with this key: "
                + key.stream().map(column -> '`' + column.name() + '`').collect(Collectors.joining(", "))
                + (key.size() > 1 ? ". Repeat the parameter for each column, in this order" : "")
                + ". `cursor`, `from`, `around`, `from_id`, and `around_id` are mutually exclusive.";
        return List.of(
                queryParameter(ParameterNames.FROM, "Starts the page at" + value)
                        .schema(Schemas.text()),
                queryParameter(ParameterNames.AROUND, "Centers the page on" + value)
                        .schema(Schemas.text()),
                queryParameter(ParameterNames.FROM_ID, "Starts the page at" + item)
                        .schema(keySchema(key)),
                queryParameter(ParameterNames.AROUND_ID, "Centers the page on" + item)
                        .schema(keySchema(key)));
    }

    private Schema keySchema(List<Column> key) {
        return key.size() == 1
                ? feedDescription.columnSchemas().ofValue(key.get(0))
                : Schemas.list(Schemas.text()).minItems(key.size()).maxItems(key.size());
    }

    private Feed feed() {
        return feedDescription.feed();
    }

    /** A parameter that takes a cursor, a moment, or a token. */
    static Parameter tokenParameter(String name, String description) {
        return queryParameter(name, description).schema(Schemas.text().maxLength(8_000));
    }
}

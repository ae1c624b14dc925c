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

/** The parameters of a feed's operations in the OpenAPI document. */
record PageParameters(FeedDescription feedDescription) {

    private static final String IF_NONE_MATCH = "If-None-Match";

    /** The parameters of a page of {@code GET /api/{feed}}. */
    List<Parameter> ofPage() {
        List<Parameter> parameters = new ArrayList<>();
        parameters.add(share(limit()));
        parameters.add(protocol("cursor"));
        parameters.addAll(list());
        parameters.add(fields());
        if (feed().policy().count().maxPrecision() != Precision.NONE) {
            parameters.add(share(count()));
        }
        jumps().forEach(jump -> parameters.add(share(jump)));
        parameters.add(protocol("until"));
        if (feed().policy().delta().isPresent()) {
            parameters.add(protocol("since"));
        }
        parameters.add(protocol(IF_NONE_MATCH));
        return parameters;
    }

    /** The parameters of {@code GET /api/{feed}/fresh}. */
    List<Parameter> ofFresh() {
        List<Parameter> parameters = new ArrayList<>();
        parameters.add(protocol("fresh.cursor"));
        parameters.addAll(list());
        parameters.add(protocol("fresh.lastEventId"));
        return parameters;
    }

    /** The parameters of {@code GET /api/{feed}/live}. */
    List<Parameter> ofLiveWindow() {
        List<Parameter> parameters = new ArrayList<>(list());
        parameters.add(fields());
        parameters.add(protocol("live.cursor"));
        parameters.add(protocol("live.until"));
        parameters.add(feedDescription.shared().parameter(feed().name() + ".live", liveLimit()));
        parameters.add(protocol("live.since"));
        parameters.add(protocol("lastEventId"));
        parameters.add(protocol("Last-Event-ID"));
        return parameters;
    }

    /** The parameters of {@code GET /v3/{feed}}. */
    List<Parameter> ofUniversalPage() {
        List<Parameter> parameters = new ArrayList<>();
        parameters.add(feedDescription.shared().parameter("v3", universalLimit()));
        parameters.add(protocol("after"));
        if (feed().policy().universal().backward()) {
            parameters.add(protocol("before"));
        }
        parameters.addAll(list());
        parameters.add(protocol(IF_NONE_MATCH));
        return parameters;
    }

    private List<Parameter> list() {
        return feedDescription.listParameters().parameters();
    }

    private Parameter protocol(String key) {
        return feedDescription.shared().parameter(key);
    }

    private Parameter share(Parameter definition) {
        return feedDescription.shared().parameter(feed().name(), definition);
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

    private Parameter fields() {
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

    private Parameter liveLimit() {
        int max = feed().policy().delta().orElseThrow().max();
        return queryParameter(
                        ParameterNames.LIMIT,
                        "The most items in the window, counted from its start. Larger numbers are reduced to the"
                                + " maximum, " + max + '.')
                .schema(Schemas.integer().minimum(BigDecimal.ONE).defaultValue(max));
    }

    private Parameter universalLimit() {
        return queryParameter(
                        ParameterNames.LIMIT,
                        "The number of rows. Larger numbers are reduced to the maximum, "
                                + feed().policy().limits().max() + ". With 0, the page has no rows.")
                .required(true)
                .schema(Schemas.integer().minimum(BigDecimal.ZERO));
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
}

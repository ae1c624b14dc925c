package dev.tidemark.http.openapi;

import static dev.tidemark.http.openapi.ListParameters.queryParameter;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponses;
import static org.eclipse.microprofile.openapi.OASFactory.createContent;
import static org.eclipse.microprofile.openapi.OASFactory.createMediaType;
import static org.eclipse.microprofile.openapi.OASFactory.createOperation;
import static org.eclipse.microprofile.openapi.OASFactory.createParameter;

import dev.tidemark.http.openapi.example.ExamplePages;
import dev.tidemark.naming.ParameterNames;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/** Describes the operation that follows a live window of a feed with delta, for the OpenAPI document. */
record LiveDescription(FeedDescription feedDescription) {

    /** The qualifier of parameters that all live windows share. */
    private static final String QUALIFIER = "live";

    String path() {
        return feedDescription.path() + "/live";
    }

    String operationId() {
        return "follow" + feedDescription.name();
    }

    Operation operation() {
        String feed = feedDescription.feed().name();
        Operation operation = createOperation()
                .operationId(operationId())
                .addTag(feed)
                .summary("A live window of " + feed)
                .description("An event stream that keeps a part of the list, the window, up to date: new, edited,"
                        + " moved, and deleted items, and rows that were committed late. Without `fields`, or with"
                        + " the key among the `fields`, the events can be applied to what the client holds.")
                .parameters(parameters())
                .responses(createAPIResponses()
                        .addAPIResponse(
                                "200",
                                createAPIResponse()
                                        .description("The events of the window.")
                                        .content(content())));
        new ProblemDescription(feedDescription.shared()).describeFeed(operation, feedDescription.feed());
        return operation;
    }

    private Content content() {
        Optional<ExamplePages> examples = feedDescription.examples();
        return createContent()
                .addMediaType(
                        "text/event-stream",
                        createMediaType()
                                .example(examples.map(pages -> pages.liveEvent(feedDescription.feed()))
                                        .orElse(null))
                                .schema(feedDescription.shared().schema("LiveEvents", LiveDescription::eventsSchema)));
    }

    private static Schema eventsSchema() {
        return Schemas.text("The first event is named `page`: its data is a page with the `keys` of all items and, if"
                + " the request has a moment, only the `items` that were written since. Later events are"
                + " named `change`: take out the keys in `removed`; then put each key of `placed`, a list"
                + " of pairs, directly behind the second key of its pair, or at the front if that is `null`;"
                + " then replace the copies of `items`. `has_more`, `has_prev`, and `cursors` are those of"
                + " a page. A `page` instead of a `change` replaces everything. The id of each event is a"
                + " moment. If the feed is removed, the last event is named `problem`.");
    }

    private List<Parameter> parameters() {
        List<Parameter> parameters =
                new ArrayList<>(feedDescription.listParameters().parameters());
        parameters.add(new PageParameters(feedDescription).fields());
        parameters.add(share(
                QUALIFIER,
                PageParameters.tokenParameter(
                        ParameterNames.CURSOR,
                        "Where the window starts: any cursor of a page with the same order and filters, whatever its"
                                + " direction. By default, the window starts at the start of the list.")));
        parameters.add(share(
                QUALIFIER,
                PageParameters.tokenParameter(
                        ParameterNames.UNTIL,
                        "Where the window ends: any cursor of a page with the same order and filters. By default, the"
                                + " window ends at the end of the list.")));
        parameters.add(share(feedDescription.feed().name() + '.' + QUALIFIER, limit()));
        parameters.add(share(
                QUALIFIER,
                PageParameters.tokenParameter(
                        ParameterNames.SINCE,
                        "The `moment` of a page, or the id of an event: what the client holds was read then or later."
                                + " By default, the client holds nothing.")));
        parameters.add(share(
                QUALIFIER,
                createParameter()
                        .name("Last-Event-ID")
                        .in(Parameter.In.HEADER)
                        .description("Counts instead of `since`. Browsers send it when they reconnect.")
                        .schema(Schemas.text().maxLength(8_000))));
        return parameters;
    }

    private Parameter limit() {
        int max = feedDescription.feed().policy().delta().orElseThrow().max();
        return queryParameter(
                        ParameterNames.LIMIT,
                        "The most items in the window, counted from its start. Larger numbers are reduced to the"
                                + " maximum, " + max + '.')
                .schema(Schemas.integer().minimum(BigDecimal.ONE).defaultValue(max));
    }

    private Parameter share(String qualifier, Parameter definition) {
        return feedDescription.shared().parameter(qualifier, definition);
    }
}

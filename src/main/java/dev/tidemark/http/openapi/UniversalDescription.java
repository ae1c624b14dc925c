package dev.tidemark.http.openapi;

import static dev.tidemark.http.openapi.ListParameters.queryParameter;
import static dev.tidemark.http.openapi.Schemas.with;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponses;
import static org.eclipse.microprofile.openapi.OASFactory.createOperation;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feed.CountPolicy.Precision;
import dev.tidemark.naming.ParameterNames;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.links.Link;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/** Describes a feed under the universal protocol for the OpenAPI document. */
record UniversalDescription(FeedDescription feedDescription) {

    private static final Pagination PAGINATION =
            new Pagination(ParameterNames.AFTER, List.of("result", "paging", "next"), List.of("result", "rows"));

    String path() {
        return "/v3/" + feed().name();
    }

    private String operationId() {
        return "list" + feedDescription.name() + GeneratedNames.UNIVERSAL;
    }

    Operation operation() {
        Operation operation = createOperation()
                .operationId(operationId())
                .addTag(feed().name())
                .summary("A page of " + feed().name() + " under the universal protocol")
                .description("The server chooses the paging strategy, so that released apps never have to change. To"
                        + " continue, send `next` as `after`, with the same order and filters, until `next` is `null`.")
                .parameters(parameters())
                .responses(createAPIResponses().addAPIResponse("200", page()));
        PAGINATION.describe(operation);
        new CachingDescription(feedDescription.shared()).describeUniversalPage(operation);
        new ProblemDescription(feedDescription.shared()).describeUniversal(operation, feed());
        return operation;
    }

    private APIResponse page() {
        APIResponse page = createAPIResponse()
                .description("A page. Its rows are in the order of the list.")
                .content(Schemas.json(
                        feedDescription
                                .shared()
                                .schema(feedDescription.name() + GeneratedNames.UNIVERSAL + "Page", this::pageSchema),
                        feedDescription.examples().map(pages -> pages.universalPage(feed()))))
                .addLink("next", link("The next page, if `next` is not `null`.", ParameterNames.AFTER, "next"));
        return offersBackward()
                ? page.addLink(
                        "previous",
                        link("The previous page, if `previous` is not `null`.", ParameterNames.BEFORE, "previous"))
                : page;
    }

    private Link link(String description, String parameter, String token) {
        return Pagination.link(description, operationId(), parameter, List.of("result", "paging", token));
    }

    private Schema pageSchema() {
        Schema page = Schemas.object()
                .description("A page of the feed `" + feed().name() + "` under the universal protocol.");
        with(
                page,
                "code",
                Schemas.integer().enumeration(List.of(0)).description("Always 0. Problems have other codes."));
        Schema result = Schemas.object().description("The rows, and where to continue.");
        with(
                result,
                "rows",
                Schemas.list(feedDescription.pageSchemas().item())
                        .maxItems(feed().policy().limits().max())
                        .description("The rows, in the order of the list."));
        with(result, "paging", feed().policy().count().maxPrecision() == Precision.EXACT ? countedPaging() : paging());
        return with(page, "result", result);
    }

    private Schema paging() {
        return feedDescription.shared().schema("UniversalPaging", UniversalDescription::pagingSchema);
    }

    private Schema countedPaging() {
        return feedDescription.shared().schema("UniversalPagingWithCount", () -> pagingSchema()
                .addProperty(
                        "count",
                        Schemas.integer()
                                .description("The number of rows in the whole list. It is absent if counting"
                                        + " stopped early.")));
    }

    private static Schema pagingSchema() {
        Schema cursors = Schemas.object().description("The tokens of the first and the last row.");
        with(cursors, "top", Schemas.token("The token of the first row, or `null` if there are no rows."));
        with(cursors, "last", Schemas.token("The token of the last row, or `null` if there are no rows."));
        Schema paging = Schemas.object().description("Where to continue.");
        with(paging, "cursors", cursors);
        with(
                paging,
                "previous",
                Schemas.token("The token to send as `before` for the previous page, or `null` if there is none or the"
                        + " feed can be paged forward only."));
        return with(
                paging,
                "next",
                Schemas.token("The token to send as `after` for the next page, or `null` if there is none."));
    }

    private List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>();
        parameters.add(share(queryParameter(
                        ParameterNames.LIMIT,
                        "The number of rows. Larger numbers are reduced to the maximum, "
                                + feed().policy().limits().max() + ". With 0, the page has no rows.")
                .required(true)
                .schema(Schemas.integer().minimum(BigDecimal.ZERO))));
        parameters.add(share(PageParameters.tokenParameter(
                ParameterNames.AFTER,
                "The token after which the page starts. By default, the page begins at the start of the list.")));
        if (offersBackward()) {
            parameters.add(share(PageParameters.tokenParameter(
                    ParameterNames.BEFORE, "The token before which the page ends. Cannot be combined with `after`.")));
        }
        parameters.addAll(feedDescription.listParameters().parameters());
        return parameters;
    }

    private Parameter share(Parameter definition) {
        return feedDescription.shared().parameter("v3", definition);
    }

    private boolean offersBackward() {
        return feed().policy().universal().backward();
    }

    private Feed feed() {
        return feedDescription.feed();
    }
}

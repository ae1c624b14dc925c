package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createComponents;
import static org.eclipse.microprofile.openapi.OASFactory.createContent;
import static org.eclipse.microprofile.openapi.OASFactory.createMediaType;
import static org.eclipse.microprofile.openapi.OASFactory.createPaths;
import static org.eclipse.microprofile.openapi.OASFactory.createSchema;

import dev.tidemark.feed.Feeds;
import dev.tidemark.http.problem.ProblemResponses;
import dev.tidemark.http.problem.ProblemCode;
import io.quarkus.arc.Arc;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.Arrays;
import java.util.List;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.Paths;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;

/**
 * Puts the paths of each declared feed into the OpenAPI document, in the place of those with a feed's name for a
 * parameter. It runs when the server has started: only then are the feeds known. It is made by reflection, outside CDI.
 */
@OpenApiFilter(OpenApiFilter.RunStage.RUN)
public class FeedPathsFilter implements OASFilter {

    private static final String CATALOGUE = "/api";
    private static final String TEMPLATE = "/api/{feed}";

    @Override
    public void filterOpenAPI(OpenAPI document) {
        Paths paths = document.getPaths() == null ? createPaths() : document.getPaths();
        paths.removePathItem(TEMPLATE);
        paths.removePathItem(FreshDescription.TEMPLATE);
        paths.removePathItem(UniversalDescription.TEMPLATE);
        Components components = document.getComponents() == null ? createComponents() : document.getComponents();
        CachingDescription.addTo(components);
        CachingDescription.describeCatalogue(paths.getPathItem(CATALOGUE).getGET());
        FreshDescription.addTo(components);
        UniversalDescription.addTo(components);
        components.addSchema("Problem", problem());
        components.addResponse(
                "Problem",
                createAPIResponse()
                        .description("A problem of the closed catalogue (RFC 9457)")
                        .content(createContent()
                                .addMediaType(
                                        ProblemResponses.MEDIA_TYPE,
                                        createMediaType().schema(createSchema().ref("#/components/schemas/Problem")))));
        Arc.container().instance(Feeds.class).get().all().stream()
                // One document is for all who ask.
                .filter(feed -> feed.access().isPublic())
                .map(FeedDescription::new)
                .forEach(feed -> {
                    components.addSchema(feed.itemName(), feed.item());
                    if (feed.feed().relation().hasKey()) {
                        describeCursors(feed, components, paths);
                    }
                    describeUniversal(new UniversalDescription(feed), components, paths);
                });
        document.components(components).paths(paths);
    }

    private static void describeCursors(FeedDescription feed, Components components, Paths paths) {
        components.addSchema(feed.pageName(), feed.page());
        PathItem page = feed.pathItem();
        CachingDescription.describePage(page.getGET());
        paths.addPathItem(feed.path(), page);
        FreshDescription fresh = new FreshDescription(feed);
        paths.addPathItem(fresh.path(), fresh.pathItem());
    }

    private static void describeUniversal(UniversalDescription feed, Components components, Paths paths) {
        components.addSchema(feed.rowsName(), feed.rows());
        PathItem rows = feed.pathItem();
        CachingDescription.describeRows(rows.getGET());
        paths.addPathItem(feed.path(), rows);
    }

    private static Schema problem() {
        List<Object> codes = Arrays.stream(ProblemCode.values())
                .map(code -> (Object) code.wireName())
                .toList();
        return createSchema()
                .addType(SchemaType.OBJECT)
                .addProperty("type", text().format("uri"))
                .addProperty("title", text())
                .addProperty("status", createSchema().addType(SchemaType.INTEGER))
                .addProperty("detail", text())
                .addProperty("instance", text().format("uri-reference"))
                .addProperty("code", text().enumeration(codes))
                .addProperty("parameter", text().description("the parameter to blame, if there is one"))
                .addProperty(
                        "request_id",
                        text().description("X-Request-Id, or one made for the request; the log has it too"))
                .required(List.of("type", "title", "status", "detail", "instance", "code", "request_id"));
    }

    private static Schema text() {
        return createSchema().addType(SchemaType.STRING);
    }
}

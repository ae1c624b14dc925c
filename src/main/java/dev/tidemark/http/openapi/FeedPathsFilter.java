package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createComponents;
import static org.eclipse.microprofile.openapi.OASFactory.createContent;
import static org.eclipse.microprofile.openapi.OASFactory.createMediaType;
import static org.eclipse.microprofile.openapi.OASFactory.createPaths;
import static org.eclipse.microprofile.openapi.OASFactory.createSchema;

import dev.tidemark.feed.Feeds;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.problem.ProblemResponses;
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
 * Replaces the path templates in the OpenAPI document with the paths of each declared feed. The filter runs with each
 * request for the document, because the feeds are known only after startup. Quarkus creates it by reflection, outside
 * CDI.
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
                        .description("A problem (RFC 9457) with a code of the closed catalogue")
                        .content(createContent()
                                .addMediaType(
                                        ProblemResponses.MEDIA_TYPE,
                                        createMediaType().schema(createSchema().ref("#/components/schemas/Problem")))));
        Arc.container().instance(Feeds.class).get().all().stream()
                // All callers get the same document, so it contains public feeds only.
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
                .addProperty("parameter", text().description("the parameter that caused the problem, if any"))
                .addProperty(
                        "request_id",
                        text().description(
                                        "the X-Request-Id of the request, or a generated id; also in the server's log"))
                .required(List.of("type", "title", "status", "detail", "instance", "code", "request_id"));
    }

    private static Schema text() {
        return createSchema().addType(SchemaType.STRING);
    }
}

package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createPathItem;
import static org.eclipse.microprofile.openapi.OASFactory.createPaths;
import static org.eclipse.microprofile.openapi.OASFactory.createServer;
import static org.eclipse.microprofile.openapi.OASFactory.createTag;

import dev.tidemark.feed.Feed;
import dev.tidemark.http.openapi.example.ExamplePages;
import io.quarkus.arc.Arc;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.Paths;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;

/**
 * Adds the paths of each declared feed to the OpenAPI document. The document of the build is the static one,
 * {@code META-INF/openapi.yaml}, which describes the protocol: the list of feeds, templates of the operations of a feed,
 * and components. The resources that serve these paths are hidden from the document, because their own paths are
 * templates. The filter runs after startup, because the feeds are not known earlier; {@link CurrentDocument} keeps its
 * result. Quarkus creates the filter by reflection, outside CDI.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.RUNTIME_PER_REQUEST)
public class FeedPathsFilter implements OASFilter {

    /** With more feeds, only the documents of single feeds have examples of pages, which would be a sixth of the text. */
    private static final int MAX_FEEDS_WITH_EXAMPLES = 50;

    private static final String FEED_LIST = "/api";

    /** The problems of the list of feeds that only tokens cause: 503 if the keys that verify them cannot be fetched. */
    private static final List<String> TOKEN_STATUSES = List.of("401", "503");

    /** @param document a copy of the document of the build */
    @Override
    public void filterOpenAPI(OpenAPI document) {
        SharedComponents shared = new SharedComponents(document.getComponents());
        Paths protocol = document.getPaths();
        Paths paths = createPaths();
        DescribedFeeds feeds = Arc.container().instance(DescribedFeeds.class).get();
        List<Feed> allFeeds = feeds.all();
        List<Feed> describedFeeds = feeds.selectDescribed(allFeeds);
        SecurityDescription security = feeds.security(describedFeeds);
        security.describe(shared.components());
        if (feeds.isOfOneFeed()) {
            document.setTags(List.of());
        } else {
            paths.addPathItem(FEED_LIST, feedList(protocol.getPathItem(FEED_LIST), describedFeeds, security, shared));
        }
        GeneratedNames names = new GeneratedNames(allFeeds);
        Optional<ExamplePages> examples = describedFeeds.size() > MAX_FEEDS_WITH_EXAMPLES
                ? Optional.empty()
                : Optional.of(Arc.container().instance(ExamplePages.class).get());
        for (Feed feed : describedFeeds) {
            document.addTag(createTag().name(feed.name()).description("The feed `" + feed.name() + "`."));
            new FeedDescription(feed, names, shared, examples)
                    .operations(protocol)
                    .forEach((path, operation) -> paths.addPathItem(
                            path, createPathItem().GET(operation.security(security.requirements(feed)))));
        }
        document.components(shared.components()).paths(paths);
        if (document.getServers() == null || document.getServers().isEmpty()) {
            document.addServer(createServer().url("/").description("The server that this document comes from."));
        }
    }

    private static PathItem feedList(
            PathItem path, List<Feed> describedFeeds, SecurityDescription security, SharedComponents shared) {
        Operation operation = path.getGET().security(security.feedListRequirements());
        operation.getParameters().forEach(parameter -> shared.parameter(SharedComponents.key(parameter.getRef())));
        APIResponses responses = operation.getResponses();
        if (!security.needsToken()) {
            TOKEN_STATUSES.forEach(responses::removeAPIResponse);
        }
        responses.getAPIResponses().values().forEach(shared::include);
        OperationTemplate.content(operation)
                .getMediaType("application/json")
                .example(ExamplePages.feedList(describedFeeds.stream().limit(1).toList()));
        return path;
    }
}

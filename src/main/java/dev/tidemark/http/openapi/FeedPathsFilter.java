package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createComponents;
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
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.Paths;
import org.eclipse.microprofile.openapi.models.security.SecurityRequirement;

/**
 * Adds the paths of each declared feed to the OpenAPI document. The resources that serve these paths are hidden from
 * the document, because their own paths are templates. The filter runs after startup, because the feeds are not known
 * earlier; {@link CurrentDocument} keeps its result. Quarkus creates the filter by reflection, outside CDI.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.RUNTIME_PER_REQUEST)
public class FeedPathsFilter implements OASFilter {

    /** With more feeds, only the documents of single feeds have examples of pages, which would be a sixth of the text. */
    private static final int MAX_FEEDS_WITH_EXAMPLES = 50;

    @Override
    public void filterOpenAPI(OpenAPI document) {
        Components components = document.getComponents() == null ? createComponents() : document.getComponents();
        SharedComponents shared = new SharedComponents(components);
        Paths paths = document.getPaths() == null ? createPaths() : document.getPaths();
        DescribedFeeds feeds = Arc.container().instance(DescribedFeeds.class).get();
        List<Feed> allFeeds = feeds.all();
        List<Feed> describedFeeds = feeds.selectDescribed(allFeeds);
        SecurityDescription security = feeds.security(describedFeeds);
        security.describe(components);
        if (!feeds.isOfOneFeed()) {
            add(
                    paths,
                    FeedListDescription.PATH,
                    new FeedListDescription(shared)
                            .operation(describedFeeds.stream().limit(1).toList(), security.needsToken())
                            .security(security.feedListRequirements()));
            document.addTag(createTag().name(FeedListDescription.TAG).description("The list of feeds."));
        }
        GeneratedNames names = new GeneratedNames(allFeeds);
        Optional<ExamplePages> examples = describedFeeds.size() > MAX_FEEDS_WITH_EXAMPLES
                ? Optional.empty()
                : Optional.of(Arc.container().instance(ExamplePages.class).get());
        for (Feed feed : describedFeeds) {
            document.addTag(createTag().name(feed.name()).description("The feed `" + feed.name() + "`."));
            add(paths, new FeedDescription(feed, names, shared, examples), security.requirements(feed));
        }
        document.components(components).paths(paths);
        if (document.getServers() == null || document.getServers().isEmpty()) {
            document.addServer(createServer().url("/").description("The server that this document comes from."));
        }
    }

    private static void add(Paths paths, FeedDescription feedDescription, List<SecurityRequirement> security) {
        if (feedDescription.feed().relation().hasKey()) {
            add(paths, feedDescription.path(), feedDescription.operation().security(security));
            FreshDescription fresh = new FreshDescription(feedDescription);
            add(paths, fresh.path(), fresh.operation().security(security));
        }
        if (feedDescription.feed().policy().delta().isPresent()) {
            LiveDescription live = new LiveDescription(feedDescription);
            add(paths, live.path(), live.operation().security(security));
        }
        UniversalDescription universal = new UniversalDescription(feedDescription);
        add(paths, universal.path(), universal.operation().security(security));
    }

    private static void add(Paths paths, String path, Operation operation) {
        paths.addPathItem(path, createPathItem().GET(operation));
    }
}

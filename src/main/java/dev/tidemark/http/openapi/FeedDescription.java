package dev.tidemark.http.openapi;

import dev.tidemark.feed.Feed;
import dev.tidemark.http.export.ExportResource;
import dev.tidemark.http.openapi.example.ExamplePages;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.Paths;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/**
 * Describes the operations of a feed for the OpenAPI document.
 *
 * @param examples creates examples of the feed's pages; absent if the document has none
 */
record FeedDescription(Feed feed, GeneratedNames names, SharedComponents shared, Optional<ExamplePages> examples) {

    private static final String LIST = "/api/{feed}";
    private static final String FRESH = "/api/{feed}/fresh";
    private static final String LIVE = "/api/{feed}/live";
    private static final String UNIVERSAL = "/v3/{feed}";

    private static final String JSON = "application/json";

    /** The name of the feed in the names of operations and schemas. */
    String name() {
        return names.feedName(feed);
    }

    ColumnSchemas columnSchemas() {
        return new ColumnSchemas(feed, names, shared);
    }

    ListParameters listParameters() {
        return new ListParameters(feed, columnSchemas(), shared);
    }

    PageSchemas pageSchemas() {
        return new PageSchemas(this);
    }

    /** Returns the operations of the feed by their paths. */
    Map<String, Operation> operations(Paths templates) {
        Map<String, Operation> operations = new LinkedHashMap<>();
        if (feed.relation().hasKey()) {
            operations.put(path(LIST), list(templates));
            operations.put(path(FRESH), create(templates, FRESH, new PageParameters(this).ofFresh()));
        }
        if (feed.policy().delta().isPresent()) {
            operations.put(path(LIVE), live(templates));
        }
        operations.put(path(UNIVERSAL), universal(templates));
        return operations;
    }

    private Operation list(Paths templates) {
        Operation operation = create(templates, LIST, new PageParameters(this).ofPage());
        Schema schema = pageSchemas().page();
        content(operation, JSON)
                .schema(schema)
                .example(examples.map(pages -> pages.page(feed)).orElse(null));
        content(operation, ExportResource.MEDIA_TYPE)
                .example(examples.map(pages -> pages.export(feed)).orElse(null));
        return operation;
    }

    private Operation live(Paths templates) {
        Operation operation = create(templates, LIVE, new PageParameters(this).ofLiveWindow());
        content(operation, "text/event-stream")
                .example(examples.map(pages -> pages.liveEvent(feed)).orElse(null));
        return operation;
    }

    private Operation universal(Paths templates) {
        Operation operation = create(templates, UNIVERSAL, new PageParameters(this).ofUniversalPage());
        content(operation, JSON)
                .schema(pageSchemas().universalPage())
                .example(examples.map(pages -> pages.universalPage(feed)).orElse(null));
        if (!feed.policy().universal().backward()) {
            OperationTemplate.response(operation).removeLink("previous");
        }
        return operation;
    }

    private Operation create(Paths templates, String path, List<Parameter> parameters) {
        return new OperationTemplate(templates.getPathItem(path).getGET()).create(this, parameters);
    }

    private String path(String template) {
        return template.replace("{feed}", feed.name());
    }

    private static MediaType content(Operation operation, String type) {
        return OperationTemplate.content(operation).getMediaType(type);
    }
}

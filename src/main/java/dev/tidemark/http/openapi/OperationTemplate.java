package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponses;
import static org.eclipse.microprofile.openapi.OASFactory.createContent;
import static org.eclipse.microprofile.openapi.OASFactory.createLink;
import static org.eclipse.microprofile.openapi.OASFactory.createMediaType;
import static org.eclipse.microprofile.openapi.OASFactory.createOperation;

import java.util.List;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.links.Link;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/**
 * An operation of the static document that every feed has. In its texts, <code>{feed}</code> stands for the name of the
 * feed, and <code>{Feed}</code> for the feed's name in the names of operations and schemas.
 */
record OperationTemplate(Operation template) {

    private static final String OK = "200";
    private static final List<String> ACCESS_STATUSES = List.of("401", "403");

    /** Creates the operation of a feed. */
    Operation create(FeedDescription feed, List<Parameter> parameters) {
        Operation operation = createOperation()
                .operationId(fill(template.getOperationId(), feed))
                .addTag(feed.feed().name())
                .summary(fill(template.getSummary(), feed))
                .description(template.getDescription())
                .parameters(parameters)
                .responses(createAPIResponses())
                .extensions(template.getExtensions());
        template.getResponses().getAPIResponses().forEach((status, response) -> {
            if (!feed.feed().access().isPublic() || !ACCESS_STATUSES.contains(status)) {
                feed.shared().include(response);
                operation.getResponses().addAPIResponse(status, status.equals(OK) ? copy(response, feed) : response);
            }
        });
        return operation;
    }

    /** The content of the response to a successful request. */
    static Content content(Operation operation) {
        return response(operation).getContent();
    }

    /** The response to a successful request. */
    static APIResponse response(Operation operation) {
        return operation.getResponses().getAPIResponse(OK);
    }

    private static APIResponse copy(APIResponse template, FeedDescription feed) {
        Content content = createContent();
        template.getContent()
                .getMediaTypes()
                .forEach((name, type) -> content.addMediaType(
                        name, createMediaType().schema(type.getSchema()).example(type.getExample())));
        APIResponse response = createAPIResponse()
                .description(template.getDescription())
                .headers(template.getHeaders())
                .content(content);
        if (template.getLinks() != null) {
            template.getLinks().forEach((name, link) -> response.addLink(name, copy(link, feed)));
        }
        return response;
    }

    private static Link copy(Link template, FeedDescription feed) {
        return createLink()
                .operationId(fill(template.getOperationId(), feed))
                .description(template.getDescription())
                .parameters(template.getParameters());
    }

    private static String fill(String text, FeedDescription feed) {
        return text.replace("{feed}", feed.feed().name()).replace("{Feed}", feed.name());
    }
}

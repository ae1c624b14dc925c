package dev.tidemark.inbox;

import io.quarkus.arc.profile.IfBuildProfile;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestHeader;

/** Writes messages for the pages of the inbox. The pages read messages through the feed. */
@Path("/inbox/messages")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@IfBuildProfile(anyOf = {"dev", "test", "try-it"})
public class MessageResource {

    private final MessageWriter writer;

    MessageResource(MessageWriter writer) {
        this.writer = writer;
    }

    /** The labels of the enum type of column {@code status}. */
    enum Status {
        open,
        pending,
        closed
    }

    record NewMessage(String subject, String body, String assignee) {
        NewMessage {
            TextRules.require(subject, TextRules.MAX_SUBJECT_LENGTH);
            TextRules.require(body, TextRules.MAX_BODY_LENGTH);
            TextRules.check(assignee, TextRules.MAX_SUBJECT_LENGTH);
        }
    }

    /**
     * The changes to a message. A null member leaves its column unchanged; an empty assignee unassigns the message.
     */
    record Edit(String subject, String body, Status status, String assignee) {
        Edit {
            TextRules.requireIfGiven(subject, TextRules.MAX_SUBJECT_LENGTH);
            TextRules.requireIfGiven(body, TextRules.MAX_BODY_LENGTH);
            TextRules.check(assignee, TextRules.MAX_SUBJECT_LENGTH);
        }
    }

    record CreatedMessage(String id) {}

    /**
     * Creates a message. Requires a content type: the framework treats content without one as JSON, and a page of
     * another site could send such content.
     */
    @POST
    @ResponseStatus(201)
    @Operation(hidden = true)
    public Uni<CreatedMessage> create(NewMessage content, @RestHeader(HttpHeaders.CONTENT_TYPE) String type) {
        if (type == null) {
            throw new NotSupportedException();
        }
        var message = TextRules.requireContent(content);
        return writer.create(message.subject(), message.body(), message.assignee())
                .map(id -> new CreatedMessage(Long.toString(id)));
    }

    @PATCH
    @Path("/{id}")
    @Operation(hidden = true)
    public Uni<Void> edit(long id, Edit edit) {
        return writer.edit(id, TextRules.requireContent(edit)).map(MessageResource::requireFound);
    }

    @DELETE
    @Path("/{id}")
    @Operation(hidden = true)
    public Uni<Void> delete(long id) {
        return writer.delete(id).map(MessageResource::requireFound);
    }

    @PUT
    @Path("/{id}/restored")
    @Operation(hidden = true)
    public Uni<Void> restore(long id) {
        return writer.restore(id).map(MessageResource::requireFound);
    }

    private static Void requireFound(boolean isFound) {
        if (!isFound) {
            throw new NotFoundException();
        }
        return null;
    }
}

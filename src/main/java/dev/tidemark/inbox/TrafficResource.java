package dev.tidemark.inbox;

import io.quarkus.arc.profile.IfBuildProfile;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** The dial of the simulated traffic, and whom messages are assigned to. */
@Path("/inbox")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@NonBlocking
@IfBuildProfile(anyOf = {"dev", "test", "try-it"})
public class TrafficResource {

    /** @param done changes made so far */
    record Dial(int inserts, int edits, int deletes, long done) {}

    record Assignees(List<String> assignees) {}

    private final Traffic traffic;

    TrafficResource(Traffic traffic) {
        this.traffic = traffic;
    }

    @GET
    @Path("/traffic")
    @Operation(hidden = true)
    public Dial dial() {
        var rates = traffic.rates();
        return new Dial(rates.inserts(), rates.edits(), rates.deletes(), traffic.done());
    }

    @PUT
    @Path("/traffic")
    @Operation(hidden = true)
    public void turn(Rates rates) {
        traffic.turn(TextRules.present(rates));
    }

    @GET
    @Path("/assignees")
    @Operation(hidden = true)
    public Assignees assignees() {
        return new Assignees(List.of(Phrases.ASSIGNEES));
    }
}

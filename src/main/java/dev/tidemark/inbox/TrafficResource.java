package dev.tidemark.inbox;

import io.quarkus.arc.profile.IfBuildProfile;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestQuery;

/** Controls the simulated traffic. */
@Path("/inbox")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@NonBlocking
@IfBuildProfile(anyOf = {"dev", "test", "try-it"})
public class TrafficResource {

    /**
     * @param done the number of changes since the process started
     * @param attended whether the traffic stops once no page asks for this status
     * @param attention the time in milliseconds within which a page has to ask again
     */
    record TrafficStatus(int inserts, int edits, int deletes, long done, boolean attended, long attention) {}

    private final Traffic traffic;

    TrafficResource(Traffic traffic) {
        this.traffic = traffic;
    }

    @GET
    @Path("/traffic")
    @Operation(hidden = true)
    public TrafficStatus status() {
        traffic.attend();
        var rates = traffic.rates();
        return new TrafficStatus(
                rates.inserts(),
                rates.edits(),
                rates.deletes(),
                traffic.changesMade(),
                traffic.isAttended(),
                traffic.attention().toMillis());
    }

    @PUT
    @Path("/traffic")
    @Operation(hidden = true)
    public void setRates(Rates rates, @RestQuery boolean attended) {
        traffic.setRates(TextRules.requireContent(rates), attended);
    }
}

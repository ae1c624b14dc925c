package dev.tidemark.http.problem;

import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** A resource of the universal protocol whose method throws an exception as a bug would. */
@Path("/v3")
public class FaultyUniversalResource {

    @GET
    @Operation(hidden = true)
    @Path("/faulty/argument")
    @NonBlocking
    public String argument() {
        throw new IllegalArgumentException("select secret from dev.tidemark.Secret");
    }
}

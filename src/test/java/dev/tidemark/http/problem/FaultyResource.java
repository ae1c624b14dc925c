package dev.tidemark.http.problem;

import io.smallrye.common.annotation.NonBlocking;
import jakarta.validation.ValidationException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** A resource whose methods throw exceptions as bugs would. */
@Path("/faulty")
public class FaultyResource {

    @GET
    @Operation(hidden = true)
    @Path("/argument")
    @NonBlocking
    public String argument() {
        throw new IllegalArgumentException("select secret from dev.tidemark.Secret");
    }

    @GET
    @Operation(hidden = true)
    @Path("/validation")
    @NonBlocking
    public String validation() {
        throw new ValidationException("HV000028: secret");
    }
}

package dev.tidemark.http.access;

import io.smallrye.common.annotation.NonBlocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** A resource that a developer might add, with a security annotation of the framework. */
@Path("/administrators")
public class AdministratorsResource {

    @GET
    @Operation(hidden = true)
    @RolesAllowed("administrator")
    @NonBlocking
    public String read() {
        return "for administrators";
    }
}

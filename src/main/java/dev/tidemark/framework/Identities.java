package dev.tidemark.framework;

import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** The authentication of a request, which is lazy because {@code quarkus.http.auth.proactive} is off. */
public final class Identities {

    private Identities() {}

    /** Verifies the token of the request, if it has one. */
    public static Uni<SecurityIdentity> authenticate(RoutingContext request, IdentityProviderManager identities) {
        return QuarkusHttpUser.getSecurityIdentity(request, identities);
    }
}

package dev.tidemark.http.access;

import io.quarkus.security.spi.runtime.AuthorizationController;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.quarkus.vertx.http.runtime.security.SecurityHandlerPriorities;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;

/**
 * Spares requests the framework's own authorization, unless something is configured for it: {@link Admission} lets callers
 * in, and asks the framework for no more than who they are. What is spared was a tenth of a page's time outside the database.
 */
@Alternative
@Priority(1)
@Singleton
public class UnusedAuthorization extends AuthorizationController {

    private final boolean isConfigured;

    UnusedAuthorization(Config config) {
        isConfigured = StreamSupport.stream(config.getPropertyNames().spliterator(), false)
                .anyMatch(name -> name.startsWith("quarkus.http.auth.permission.")
                        || name.startsWith("QUARKUS_HTTP_AUTH_PERMISSION_")
                        || name.startsWith("quarkus.management.auth.permission.")
                        || name.startsWith("QUARKUS_MANAGEMENT_AUTH_PERMISSION_"));
    }

    @Override
    public boolean isAuthorizationEnabled() {
        return isConfigured;
    }

    /** Right behind the framework's authentication, which only takes down how to find out who calls. */
    void register(@Observes Filters filters) {
        if (!isConfigured) {
            filters.register(UnusedAuthorization::withoutFailureHandler, SecurityHandlerPriorities.AUTHENTICATION);
        }
    }

    /**
     * Resources do without this handler: it is taken away before any is called. While it is there, the framework matches the
     * path against all templates for each request, for the metrics of those that fail.
     */
    private static void withoutFailureHandler(RoutingContext request) {
        request.remove(QuarkusHttpUser.AUTH_FAILURE_HANDLER);
        request.next();
    }
}

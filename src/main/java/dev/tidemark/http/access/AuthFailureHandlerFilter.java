package dev.tidemark.http.access;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.quarkus.vertx.http.runtime.security.SecurityHandlerPriorities;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;

/**
 * Removes the framework's handler of authentication failures from each request. Only permissions for paths need the
 * handler, so it is kept if any are configured. Resources do not need the handler: the framework itself removes it
 * before it calls a resource. While a request has the handler, the framework matches the request's path against all
 * path templates, for the metrics of failures; this allocates 2.2 kB for each page.
 *
 * <p>Authentication and authorization are not affected: {@code @RolesAllowed} and similar annotations still work.
 */
@Singleton
class AuthFailureHandlerFilter {

    private static final String PERMISSION_PREFIX = "quarkus.http.auth.permission.";
    private static final String PERMISSION_PREFIX_IN_ENVIRONMENT = "QUARKUS_HTTP_AUTH_PERMISSION_";

    /**
     * Registers the filter to run directly after the framework's authentication, which adds the handler. Does nothing
     * if the handler is needed.
     */
    void register(@Observes Filters filters, Config config) {
        boolean isNeeded = StreamSupport.stream(config.getPropertyNames().spliterator(), false)
                .anyMatch(name ->
                        name.startsWith(PERMISSION_PREFIX) || name.startsWith(PERMISSION_PREFIX_IN_ENVIRONMENT));
        if (!isNeeded) {
            filters.register(AuthFailureHandlerFilter::removeHandler, SecurityHandlerPriorities.AUTHENTICATION);
        }
    }

    private static void removeHandler(RoutingContext context) {
        context.remove(QuarkusHttpUser.AUTH_FAILURE_HANDLER);
        context.next();
    }
}

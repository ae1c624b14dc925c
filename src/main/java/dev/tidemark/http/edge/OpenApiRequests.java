package dev.tidemark.http.edge;

import dev.tidemark.framework.Connections;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.Semaphore;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Limits the number of requests for the OpenAPI document that are processed at a time. The framework copies the document
 * for each of them on a worker thread, so the copies could fill the heap before an event loop can write them.
 */
@Singleton
class OpenApiRequests {

    private static final int MAX_REQUESTS = 16;

    /** Before the route of the framework, and after that of {@link RequestGate}. */
    private static final int ORDER = -500;

    private static final Problem OVERLOADED =
            Problem.of(ProblemCode.OVERLOADED, "too many clients request the OpenAPI document at the same time");

    private final Semaphore permits = new Semaphore(MAX_REQUESTS);
    private final RequestGate gate;
    private final String path;

    OpenApiRequests(
            RequestGate gate,
            @ConfigProperty(name = "quarkus.http.non-application-root-path", defaultValue = "q") String root,
            @ConfigProperty(name = "quarkus.smallrye-openapi.path", defaultValue = "openapi") String name) {
        this.gate = gate;
        this.path = (root.startsWith("/") ? root : "/" + root) + "/" + name;
    }

    void register(@Observes Router router) {
        router.route(path + "*").order(ORDER).handler(this::check);
    }

    private void check(RoutingContext context) {
        if (!permits.tryAcquire()) {
            gate.reject(context, OVERLOADED);
            return;
        }
        // Runs after the event loop has written the response, which a worker thread ends.
        context.addEndHandler(ended -> Connections.channelOf(context.request().connection())
                .eventLoop()
                .execute(permits::release));
        context.next();
    }
}

package dev.tidemark.inbox;

import io.quarkus.arc.profile.IfBuildProfile;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.util.Map;

/**
 * Serves the pages of the inbox, and the client library that they use. The files are next to this class, so that
 * excluding the package from deployment excludes them, too. A content security policy restricts the pages to resources
 * of this server.
 */
@ApplicationScoped
@IfBuildProfile(anyOf = {"dev", "test", "try-it"})
class StaticPages {

    /** The phone view uses the same page as the inbox, with less width and fewer elements. */
    private static final Map<String, String> PAGES =
            Map.of("/", "index.html", "/phone", "index.html", "/lab", "lab.html");

    private static final Map<String, String> CONTENT_TYPES = Map.of(
            "html", "text/html;charset=UTF-8",
            "css", "text/css;charset=UTF-8",
            "js", "text/javascript;charset=UTF-8",
            "svg", "image/svg+xml");

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                            + " frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none';"
                            + " require-trusted-types-for 'script'; trusted-types 'none'",
            "X-Frame-Options", "SAMEORIGIN",
            "X-Content-Type-Options", "nosniff",
            "Referrer-Policy", "no-referrer",
            "Cache-Control", "no-cache");

    void register(@Observes Router router) {
        PAGES.forEach(
                (path, file) -> acceptGetAndHead(router.route(path)).blockingHandler(context -> send(context, file)));
        acceptGetAndHead(router.routeWithRegex("/(client/)?[a-z-]+\\.(css|js|svg)"))
                .blockingHandler(
                        context -> send(context, context.request().path().substring(1)));
    }

    private static Route acceptGetAndHead(Route route) {
        return route.method(HttpMethod.GET).method(HttpMethod.HEAD);
    }

    /** Sends a file. The file is read for each request, because it is small and can change in dev mode. */
    private static void send(RoutingContext context, String file) {
        try (var content = StaticPages.class.getResourceAsStream("pages/" + file)) {
            if (content == null) {
                context.next();
                return;
            }
            HEADERS.forEach(context.response()::putHeader);
            context.response()
                    .putHeader("Content-Type", CONTENT_TYPES.get(file.substring(file.indexOf('.') + 1)))
                    .end(Buffer.buffer(content.readAllBytes()));
        } catch (IOException e) {
            context.fail(e);
        }
    }
}

package dev.tidemark.http.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Serves the page of the feed browser, and the scripts and styles that the page uses, if the feed browser is enabled.
 * A content security policy restricts the page to resources of this server.
 */
@Singleton
class BrowserPages {

    private static final String PAGE_PATH = "/browse";

    private static final Map<String, String> MEDIA_TYPES = Map.of(
            "html", "text/html;charset=UTF-8",
            "css", "text/css;charset=UTF-8",
            "js", "text/javascript;charset=UTF-8");

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
                            + " frame-ancestors 'none'; base-uri 'none'; form-action 'none';"
                            + " require-trusted-types-for 'script'; trusted-types 'none'",
            "X-Frame-Options", "DENY",
            "X-Content-Type-Options", "nosniff",
            "Referrer-Policy", "no-referrer",
            "Cache-Control", "no-cache");

    /** What {@code browse.html} contains in place of the link to the inbox, which deployed servers do not serve. */
    private static final String LINK_PLACE = "<!-- inbox -->";

    private final BrowserConfig config;
    private final String link;

    /** @param inboxPath the path of the sample inbox, if this server serves it */
    BrowserPages(BrowserConfig config, @ConfigProperty(name = "try-it.page") Optional<String> inboxPath) {
        this.config = config;
        this.link = inboxPath
                .map(path -> "<a id=\"inbox\" href=\"" + path + "\">Inbox</a>")
                .orElse("");
    }

    void register(@Observes Router router) {
        if (config.feedBrowser()) {
            router.route(PAGE_PATH)
                    .method(HttpMethod.GET)
                    .method(HttpMethod.HEAD)
                    .blockingHandler(context -> sendFile(context, "browse.html"));
            router.routeWithRegex(PAGE_PATH + "/(client/)?[a-z-]+\\.(css|js)")
                    .method(HttpMethod.GET)
                    .method(HttpMethod.HEAD)
                    .blockingHandler(context ->
                            sendFile(context, context.request().path().substring(PAGE_PATH.length() + 1)));
        }
    }

    /** Sends a file. The file is read for each request, because it is small and can change in dev mode. */
    private void sendFile(RoutingContext context, String file) {
        try (var content = BrowserPages.class.getResourceAsStream("pages/" + file)) {
            if (content == null) {
                context.next();
                return;
            }
            HEADERS.forEach(context.response()::putHeader);
            context.response()
                    .putHeader("Content-Type", MEDIA_TYPES.get(file.substring(file.indexOf('.') + 1)))
                    .end(new String(content.readAllBytes(), UTF_8).replace(LINK_PLACE, link));
        } catch (IOException e) {
            context.fail(e);
        }
    }
}

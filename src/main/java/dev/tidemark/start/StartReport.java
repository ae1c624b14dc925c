package dev.tidemark.start;

import dev.tidemark.declare.Catalogue;
import dev.tidemark.declare.FeedRegistry;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import io.quarkus.arc.profile.UnlessBuildProfile;
import io.quarkus.vertx.http.HttpServerStart;
import io.quarkus.vertx.http.HttpsServerStart;
import io.smallrye.config.SmallRyeConfig;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Logs a report when the server accepts requests: who may read which feeds, the files that declare them, the database,
 * and the addresses of the server.
 */
@Singleton
@UnlessBuildProfile("test")
class StartReport {

    private static final Logger LOG = Logger.getLogger(StartReport.class);

    private final Feeds feeds;
    private final FeedRegistry registry;
    private final Catalogue catalogue;
    private final SmallRyeConfig config;
    private final ServerAddresses addresses;
    private boolean written;

    StartReport(
            Feeds feeds, FeedRegistry registry, Catalogue catalogue, SmallRyeConfig config, ServerAddresses addresses) {
        this.feeds = feeds;
        this.registry = registry;
        this.catalogue = catalogue;
        this.config = config;
        this.addresses = addresses;
    }

    void onHttp(@ObservesAsync HttpServerStart started) {
        write();
    }

    void onHttps(@ObservesAsync HttpsServerStart started) {
        write();
    }

    private synchronized void write() {
        if (!written) {
            written = true;
            int number = feeds.all().size();
            LOG.infof(
                    "Tidemark %s serves %s, with the profile %s\n%s",
                    config.getValue("quarkus.application.version", String.class),
                    number == 1 ? "1 feed" : number + " feeds",
                    String.join(", ", config.getProfiles()),
                    lines());
        }
    }

    /** Returns the part of the report after its first line. */
    String lines() {
        List<Feed> all = feeds.all();
        return """

                  Feeds     %s
                  Database  %s
                  API       %s
                  Pages     %s
                  Health    %s, metrics %s
                """.formatted(
                        all.isEmpty() ? "none" : describe(all),
                        catalogue.describeDatabase(),
                        all.isEmpty() ? addresses.url("/api") : curl(exampleFeed(all)),
                        String.join(", ", addresses.pages()),
                        addresses.managementUrl("/q/health/ready"),
                        addresses.managementUrl("/q/metrics"));
    }

    private String describe(List<Feed> all) {
        Predicate<Feed> isPublic = feed -> feed.access().isPublic();
        return Stream.of(names(all, isPublic, ": open to everybody"), names(all, isPublic.negate(), ": with a token"))
                        .filter(names -> !names.isEmpty())
                        .collect(Collectors.joining("; "))
                + "; from "
                + String.join(", ", registry.origins());
    }

    private static String names(List<Feed> all, Predicate<Feed> which, String suffix) {
        List<String> names = all.stream().filter(which).map(Feed::name).toList();
        return names.isEmpty() ? "" : String.join(", ", names) + suffix;
    }

    /** Returns a feed that needs no token, if there is one; otherwise the first feed. */
    private static Feed exampleFeed(List<Feed> feeds) {
        return feeds.stream()
                .filter(feed -> feed.access().isPublic())
                .findFirst()
                .orElse(feeds.get(0));
    }

    private String curl(Feed feed) {
        String path = (feed.relation().hasKey() ? "/api/" : "/v3/") + feed.name() + "?limit=3";
        return "curl " + (feed.access().isPublic() ? "" : "-H \"Authorization: Bearer $TOKEN\" ") + '\''
                + addresses.url(path) + '\'';
    }
}

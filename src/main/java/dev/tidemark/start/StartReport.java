package dev.tidemark.start;

import dev.tidemark.declare.Catalogue;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.Order;
import dev.tidemark.settings.FeedSources;
import io.quarkus.arc.profile.UnlessBuildProfile;
import io.quarkus.vertx.http.HttpServerStart;
import io.quarkus.vertx.http.HttpsServerStart;
import io.smallrye.config.SmallRyeConfig;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Logs a report when the server accepts requests: the feeds, the files that declare them, the addresses of the server,
 * and the warnings of startup.
 */
@Singleton
@UnlessBuildProfile("test")
class StartReport {

    private static final Logger LOG = Logger.getLogger(StartReport.class);

    /** The maximum number of lines in the list of feeds, and in the list of warnings. */
    private static final int MAX_LINES = 5;

    private static final String LABEL = "\n  %-10s";
    private static final String NEXT_LINE = LABEL.formatted("");

    private final Feeds feeds;
    private final Catalogue catalogue;
    private final SmallRyeConfig config;
    private final ServerAddresses addresses;
    private final StartWarnings warnings;
    private boolean written;

    StartReport(
            Feeds feeds,
            Catalogue catalogue,
            SmallRyeConfig config,
            ServerAddresses addresses,
            StartWarnings warnings) {
        this.feeds = feeds;
        this.catalogue = catalogue;
        this.config = config;
        this.addresses = addresses;
        this.warnings = warnings;
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
            LOG.infof(
                    "Tidemark %s serves %s, with the profile %s\n%s",
                    config.getValue("quarkus.application.version", String.class),
                    withNoun(feeds.all().size(), "feed"),
                    String.join(", ", config.getProfiles()),
                    lines(warnings.stop()));
        }
    }

    /** Returns the part of the report after its first line. */
    String lines(List<String> warningSentences) {
        StringBuilder text = new StringBuilder();
        List<Feed> all = feeds.all();
        if (!all.isEmpty()) {
            add(text, "Feeds", shorten(align(all), ", see " + addresses.url("/api")));
            String everybody = all.stream()
                    .filter(feed -> feed.access().isPublic())
                    .map(Feed::name)
                    .collect(Collectors.joining(", "));
            if (!everybody.isEmpty()) {
                add(text, "Public", List.of(everybody + ": open to everybody who reaches the server"));
            }
            add(
                    text,
                    "From",
                    FeedSources.find(config, all.stream().map(Feed::name).toList()));
        }
        add(text, "Database", List.of(catalogue.describeDatabase()));
        add(text, "API", List.of(all.isEmpty() ? addresses.url("/api") : curl(exampleFeed(all))));
        addresses.urlsByLabel().forEach((label, url) -> add(text, label, List.of(url)));
        List<String> lines = new ArrayList<>();
        lines.add(warningSentences.isEmpty() ? "none" : warningSentences.size() + ", in full in the log above");
        lines.addAll(shorten(warningSentences, ""));
        add(text, "Warnings", lines);
        return text.append('\n').toString();
    }

    private static void add(StringBuilder text, String label, List<String> lines) {
        text.append(LABEL.formatted(label)).append(String.join(NEXT_LINE, lines));
    }

    private static List<String> shorten(List<String> lines, String suffix) {
        return lines.size() <= MAX_LINES
                ? lines
                : Stream.concat(
                                lines.stream().limit(MAX_LINES - 1),
                                Stream.of("and " + (lines.size() - MAX_LINES + 1) + " more" + suffix))
                        .toList();
    }

    private static List<String> align(List<Feed> feeds) {
        int nameWidth = width(feeds, Feed::name);
        int tableWidth = width(feeds, StartReport::table);
        String line = "%-" + nameWidth + "s  %-" + tableWidth + "s  by %s";
        return feeds.stream()
                .map(feed -> line.formatted(feed.name(), table(feed), orders(feed))
                        + embeds(feed)
                        + (feed.access().isPublic() ? "" : "; needs a token"))
                .toList();
    }

    private static String embeds(Feed feed) {
        return feed.embeds().isEmpty()
                ? ""
                : feed.embeds().stream().map(Embed::name).collect(Collectors.joining(", ", "; with ", ""));
    }

    private static int width(List<Feed> feeds, Function<Feed, String> cell) {
        return feeds.stream()
                .limit(MAX_LINES)
                .mapToInt(feed -> cell.apply(feed).length())
                .max()
                .orElseThrow();
    }

    private static String table(Feed feed) {
        return feed.relation().schema() + '.' + feed.relation().name();
    }

    /** Lists the orders of a feed, the default order first. */
    private static String orders(Feed feed) {
        Order first = feed.orders().byDefault();
        return Stream.concat(Stream.of(first), feed.orders().all().stream().filter(order -> !order.equals(first)))
                .map(Order::name)
                .collect(Collectors.joining(", "));
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

    private static String withNoun(int number, String noun) {
        return (number == 0 ? "no" : Integer.toString(number)) + " " + noun + (number == 1 ? "" : "s");
    }
}

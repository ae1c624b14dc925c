package dev.tidemark.command;

import static dev.tidemark.declare.FeedCheck.await;

import dev.tidemark.command.Arguments.Option;
import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.declare.Catalogue;
import dev.tidemark.declare.CheckedFeed;
import dev.tidemark.declare.FeedCheck;
import dev.tidemark.declare.FeedCheck.CheckedFeeds;
import dev.tidemark.declare.FeedsConfig;
import dev.tidemark.feed.Feed;
import dev.tidemark.settings.FeedSource;
import io.quarkus.runtime.util.ExceptionUtil;
import io.smallrye.config.SmallRyeConfig;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Checks the declared feeds against the database, as startup does, and prints all findings. */
@Singleton
class CheckCommand {

    private final FeedsConfig config;
    private final FeedCheck check;
    private final Catalogue catalogue;
    private final Provider<CursorSealer> cursorSealer;
    private final SmallRyeConfig properties;

    CheckCommand(
            FeedsConfig config,
            FeedCheck check,
            Catalogue catalogue,
            Provider<CursorSealer> cursorSealer,
            SmallRyeConfig properties) {
        this.config = config;
        this.check = check;
        this.catalogue = catalogue;
        this.cursorSealer = cursorSealer;
        this.properties = properties;
    }

    /**
     * @param keyTimeout the statement timeout of the query that verifies a key
     * @param err the stream for the findings if SQL is printed to {@code out}
     */
    int run(Set<Option> options, Duration keyTimeout, PrintStream out, PrintStream err) {
        List<FeedSource> sources = FeedSource.readAll(properties);
        check.awaitDatabase(config.startTimeout().orElse(CommandRunner.DEFAULT_START_TIMEOUT));
        CheckedFeeds checked = await(check.check(sources, config.requireAccess()));
        List<Feed> feeds = checked.feeds().stream().map(CheckedFeed::feed).toList();
        CheckReport report = new CheckReport(config.requireIndexes());
        if (sources.isEmpty()) {
            report.addFault(
                    "", "tidemark.feeds: no feed is declared in the files of QUARKUS_CONFIG_LOCATIONS", List.of());
        }
        checkCursorKeys(report);
        checked.faults().all().forEach(fault -> report.addFault(fault.feed(), fault.describe(), fault.script()));
        checked.feeds().forEach(report::add);
        await(catalogue.findExcessPrivileges(feeds)).forEach(report::add);
        if (options.contains(Option.VERIFY_KEYS)) {
            checked.feeds().stream()
                    .filter(feed -> feed.table().kind().isKeyTrusted()
                            && feed.feed().relation().hasKey())
                    .map(CheckedFeed::feed)
                    .forEach(feed -> report.addKey(
                            feed.name(), FeedCheck.await(catalogue.verifyKey(feed, keyTimeout), keyTimeout)));
        }
        if (options.contains(Option.EXPLAIN)) {
            feeds.forEach(feed -> report.addPlans(feed.name(), await(catalogue.explainPages(feed))));
        }
        if (options.contains(Option.SQL)) {
            out.print(report.sql());
            err.print(report.text(false));
        } else {
            out.print(options.contains(Option.JSON) ? report.json() : report.text(true));
        }
        return report.exitStatus(options.contains(Option.STRICT));
    }

    private void checkCursorKeys(CheckReport report) {
        try {
            cursorSealer.get();
        } catch (RuntimeException malformed) {
            report.addFault(
                    "", String.valueOf(ExceptionUtil.getRootCause(malformed).getMessage()), List.of());
        }
    }
}

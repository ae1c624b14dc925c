package dev.tidemark.command;

import dev.tidemark.declare.Catalogue.ExcessPrivileges;
import dev.tidemark.declare.Catalogue.KeyFinding;
import dev.tidemark.declare.Catalogue.PagePlan;
import dev.tidemark.declare.CheckedFeed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The findings of a check, as text, JSON, or SQL. */
final class CheckReport {

    /** @param script the psql lines that fix the finding; empty if there are none */
    private record Finding(String kind, String feed, String message, List<String> script) {
        JsonObject json() {
            JsonObject json =
                    new JsonObject().put("kind", kind).put("feed", feed).put("message", message);
            return script.isEmpty() ? json : json.put("script", String.join("\n", script));
        }
    }

    private final boolean requireIndexes;
    private final List<String> feeds = new ArrayList<>();

    /** The names of the embeds of each feed that has any. */
    private final Map<String, String> embeds = new HashMap<>();

    private final List<Finding> faults = new ArrayList<>();
    private final List<Finding> warnings = new ArrayList<>();
    /** The feeds whose key was verified with a query over all rows. */
    private final List<String> verifiedKeys = new ArrayList<>();

    private final Map<String, List<PagePlan>> plans = new LinkedHashMap<>();

    /**
     * @param requireIndexes whether a missing index, or a list that is read from all shards, is a fault and not only a
     *     warning
     */
    CheckReport(boolean requireIndexes) {
        this.requireIndexes = requireIndexes;
    }

    /**
     * @param feed the name of the feed that has the fault; an empty string if the fault is in the settings
     * @param script the psql lines that correct the fault; empty if there are none
     */
    void addFault(String feed, String message, List<String> script) {
        faults.add(new Finding("declaration", feed, message, script));
    }

    /** Adds a feed whose declaration has no faults, with the findings about its indexes, shards, and orders. */
    void add(CheckedFeed checked) {
        String feed = checked.feed().name();
        feeds.add(feed);
        if (!checked.feed().embeds().isEmpty()) {
            embeds.put(
                    feed,
                    checked.feed().embeds().stream()
                            .map(embed -> embed.name() + " from " + embed.schema() + '.' + embed.table())
                            .collect(Collectors.joining(", ", ", with ", "")));
        }
        checked.missingIndexes().forEach(missing -> (requireIndexes ? faults : warnings)
                .add(new Finding("missing_index", feed, "no index serves " + missing.description(), missing.script())));
        checked.unprefixedShardsWarning().ifPresent(lists -> (requireIndexes ? faults : warnings)
                .add(new Finding("all_shards", feed, lists, List.of())));
        checked.membershipWarnings()
                .forEach(warning -> warnings.add(new Finding("memberships", feed, warning, List.of())));
        checked.embedWarnings()
                .forEach(warning -> warnings.add(new Finding("updated_embed", feed, warning, List.of())));
        checked.liveOrderWarnings()
                .forEach(warning -> warnings.add(new Finding("order_not_live", feed, warning, List.of())));
        checked.missingTriggers()
                .forEach(missing ->
                        warnings.add(new Finding("missing_trigger", feed, missing.description(), missing.script())));
    }

    void add(ExcessPrivileges excess) {
        warnings.add(new Finding(
                "privileges",
                excess.feed(),
                excess.description() + "; a role that owns nothing and has only SELECT is enough",
                List.of()));
    }

    /** Adds the result of verifying the declared key of a feed. */
    void addKey(String feed, KeyFinding key) {
        if (key.isWrong()) {
            faults.add(new Finding("key", feed, "key: " + key.reason(), List.of()));
        } else if (!key.reason().isEmpty()) {
            warnings.add(
                    new Finding("key_not_verified", feed, "key: not verified, because " + key.reason(), List.of()));
        } else {
            verifiedKeys.add(feed);
        }
    }

    void addPlans(String feed, List<PagePlan> pages) {
        plans.put(feed, pages);
    }

    int exitStatus(boolean strict) {
        if (!faults.isEmpty()) {
            return CommandExitException.FAULTS;
        }
        return strict && !warnings.isEmpty() ? CommandExitException.WARNINGS : CommandExitException.SUCCESS;
    }

    String json() {
        JsonObject json = new JsonObject()
                .put("feeds", new JsonArray(feeds))
                .put("faults", array(faults))
                .put("warnings", array(warnings));
        if (!verifiedKeys.isEmpty()) {
            json.put("verified_keys", new JsonArray(verifiedKeys));
        }
        if (!plans.isEmpty()) {
            JsonArray pages = new JsonArray();
            plans.forEach((feed, explained) -> explained.forEach(page -> pages.add(new JsonObject()
                    .put("feed", feed)
                    .put("list", page.list())
                    .put("page", page.page())
                    .put("indexed", page.indexed())
                    .put("sql", page.sql())
                    .put("plan", new JsonArray(page.plan())))));
            json.put("pages", pages);
        }
        return json.encodePrettily() + "\n";
    }

    private static JsonArray array(List<Finding> findings) {
        return new JsonArray(findings.stream().map(Finding::json).toList());
    }

    /**
     * Returns the scripts that fix findings, without duplicates, as input for psql. A comment before each script
     * contains the findings that the script fixes.
     */
    String sql() {
        Map<List<String>, List<String>> findings = new LinkedHashMap<>();
        Stream.concat(faults.stream(), warnings.stream())
                .filter(finding -> !finding.script().isEmpty())
                .forEach(finding -> findings.computeIfAbsent(finding.script(), script -> new ArrayList<>())
                        .add("feed " + finding.feed() + ": " + finding.message()));
        StringBuilder sql = new StringBuilder(findings.isEmpty() ? "-- No statement is needed.\n" : "");
        findings.forEach((script, messages) -> {
            messages.forEach(message ->
                    sql.append("-- ").append(message.replaceAll("\\R", " ")).append('\n'));
            script.forEach(line -> sql.append(line).append('\n'));
        });
        return sql.toString();
    }

    /** @param withScripts whether to include the lines that fix the findings */
    String text(boolean withScripts) {
        StringBuilder text = new StringBuilder();
        Map<String, StringBuilder> byFeed = new TreeMap<>();
        feeds.forEach(feed -> byFeed.put(feed, new StringBuilder()));
        faults.forEach(fault -> append(byFeed, "fault", fault, withScripts));
        warnings.forEach(warning -> append(byFeed, "warning", warning, withScripts));
        byFeed.forEach((feed, findings) -> text.append(feed.isEmpty() ? "settings" : "feed " + feed)
                .append(embeds.getOrDefault(feed, ""))
                .append(verifiedKeys.contains(feed) ? ", key verified" : "")
                .append(findings.isEmpty() ? ": no findings\n" : "\n")
                .append(findings));
        plans.forEach((feed, pages) -> pages.forEach(page -> append(text, feed, page)));
        return text.append(withNoun(faults.size(), "fault"))
                .append(", ")
                .append(withNoun(warnings.size(), "warning"))
                .append('\n')
                .toString();
    }

    private static void append(Map<String, StringBuilder> byFeed, String level, Finding finding, boolean withScript) {
        StringBuilder text = byFeed.computeIfAbsent(finding.feed(), feed -> new StringBuilder());
        text.append("  ").append(level).append(": ").append(finding.message()).append('\n');
        if (withScript) {
            finding.script().forEach(line -> text.append("    ").append(line).append('\n'));
        }
    }

    private static void append(StringBuilder text, String feed, PagePlan page) {
        text.append("\nfeed ")
                .append(feed)
                .append(", ")
                .append(page.list())
                .append(", ")
                .append(page.page());
        text.append(page.indexed() ? "" : ": no index provides the order")
                .append("\n  ")
                .append(page.sql());
        page.plan().forEach(line -> text.append("\n    ").append(line));
        text.append('\n');
    }

    private static String withNoun(int number, String noun) {
        return (number == 0 ? "no" : Integer.toString(number)) + " " + noun + (number == 1 ? "" : "s");
    }
}

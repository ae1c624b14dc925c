package dev.tidemark.declare;

import dev.tidemark.declare.FeedDeclaration.Embed;
import dev.tidemark.feed.ParameterNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Parses the embeds of one feed. An invalid property is recorded as a fault, and parsing continues. */
final class EmbedParser {

    private static final String EMBED = "embed";
    private static final String ON = "on";

    private final FeedProperties properties;
    private final Faults.FeedFaults faults;

    EmbedParser(FeedProperties properties, Faults.FeedFaults faults) {
        this.properties = properties;
        this.faults = faults;
    }

    List<Embed> parse() {
        properties.addFaultUnlessMap(
                EMBED, "a map of names, such as author: {table: users, on: {id: author_id}, columns: [name]}", faults);
        List<Embed> embeds = new ArrayList<>();
        for (String name : new TreeSet<>(properties.childrenOf(EMBED))) {
            if (isMap(name)) {
                embeds.add(parse(name));
            }
        }
        return embeds;
    }

    private boolean isMap(String name) {
        boolean isMap = properties.list(EMBED, name).isEmpty();
        if (!isMap) {
            faults.add("embed." + name, "must be a map of table, on, and columns, not a value or a list");
        }
        return isMap;
    }

    private Embed parse(String name) {
        if (ParameterNames.RESERVED.contains(name)) {
            faults.add("embed." + name, "an embed must not have the name of a parameter");
        } else if (name.contains(",")) {
            faults.add("embed." + name, "an embed's name must not contain a comma, which separates names in fields");
        }
        Optional<String> table = properties.text(EMBED, name, "table");
        Embed embed = new Embed(name, table.orElse(""), on(name), properties.list(EMBED, name, "columns"));
        if (table.isEmpty()) {
            faults.add(embed.property("table"), "is missing: specify the table that has the row");
        }
        if (embed.columns().isEmpty()) {
            faults.add(embed.property("columns"), "is missing: list the columns to show");
        } else if (Set.copyOf(embed.columns()).size() < embed.columns().size()) {
            faults.add(embed.property("columns"), "lists a column twice");
        }
        return embed;
    }

    private Map<String, String> on(String name) {
        boolean isMap = properties.list(EMBED, name, ON).isEmpty();
        Map<String, String> on = new LinkedHashMap<>();
        for (String column : new TreeSet<>(properties.childrenOf(EMBED, name, ON))) {
            properties.text(EMBED, name, ON, column).ifPresent(own -> on.put(column, own));
        }
        if (!isMap || on.isEmpty()) {
            faults.add(
                    "embed." + name + ".on",
                    (isMap ? "is missing: " : "must be a map, not a value or a list: ")
                            + "map the columns of a key of the other table to columns of the feed's table, such as"
                            + " {id: author_id}");
        }
        return on;
    }
}

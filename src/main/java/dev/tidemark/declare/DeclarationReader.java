package dev.tidemark.declare;

import dev.tidemark.settings.FeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;

/** Reads what stands under {@code tidemark.feeds} into declarations. */
final class DeclarationReader {

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");

    private DeclarationReader() {}

    /** @return all declarations, including those with faults. Each invalid property is reported in {@code faults} */
    static List<FeedDeclaration> read(List<FeedSource> sources, Faults faults) {
        Map<String, FeedProperties> byFeed = new TreeMap<>();
        for (FeedSource source : sources) {
            source.feeds().forEach((name, feed) -> {
                FeedProperties properties = new FeedProperties(source.name(), feed);
                FeedProperties other = byFeed.putIfAbsent(name, properties);
                if (other == null) {
                    faults.locate(name, properties::location);
                    if (!(feed.getValueNode() instanceof MappingNode)) {
                        faults.forFeed(name).add("feed", "must be a map of properties, not a value or a list");
                    }
                } else {
                    faults.forFeed(name)
                            .add("feed", "is declared twice; the other declaration is at " + properties.location(""));
                }
            });
        }
        List<FeedDeclaration> declarations = new ArrayList<>();
        byFeed.forEach((name, properties) -> {
            Faults.FeedFaults feedFaults = faults.forFeed(name);
            if (!NAME.matcher(name).matches()) {
                feedFaults.add(
                        "name", "must be a letter followed by up to 62 letters, digits, hyphens, and underscores");
            }
            declarations.add(new DeclarationParser(name, properties, feedFaults).parse());
        });
        return declarations;
    }
}

package dev.tidemark.propose;

import dev.tidemark.declare.Table;
import java.util.HashSet;
import java.util.Set;

/** Names feeds after their tables. Each feed gets a different name. */
final class FeedNames {

    private static final int MAX_LENGTH = 50;

    private final Set<String> takenNames = new HashSet<>();

    /**
     * Returns a name for a feed over the table: the table's name from its first letter on, shortened if necessary,
     * with underscores for characters that are not allowed; {@code feed} if the table's name has no allowed letter. If
     * another feed has that name, the schema precedes it, and a number follows if necessary.
     */
    String nameFor(Table table) {
        String name = asFeedName(table.name());
        if (takenNames.add(name)) {
            return name;
        }
        String qualified = asFeedName(table.schema() + "_" + table.name());
        String free = qualified;
        for (int i = 2; !takenNames.add(free); i++) {
            free = qualified + "_" + i;
        }
        return free;
    }

    private static String asFeedName(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9_-]+", "_").replaceFirst("^[^A-Za-z]+", "");
        String named = plain.isEmpty() ? "feed" : plain;
        return named.substring(0, Math.min(MAX_LENGTH, named.length()));
    }
}

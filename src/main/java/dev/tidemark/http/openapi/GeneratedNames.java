package dev.tidemark.http.openapi;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Creates the names from which code generators derive classes and methods. The name of the feed
 * {@code support-messages} is {@code SupportMessages}. Another feed that would have the same name, such as
 * {@code support_messages}, gets a number: {@code SupportMessages2}. Names never differ only in case, because some
 * generators write each class to its own file, and file systems can ignore case.
 */
final class GeneratedNames {

    /** Follows the feed's name in the names of its operation and its page schema under the universal protocol. */
    static final String UNIVERSAL = "Universal";

    private final Map<String, String> feedNames = new HashMap<>();
    private final Map<String, Map<String, String>> valueSchemaNames = new HashMap<>();
    private final Map<String, Map<String, String>> embedSchemaNames = new HashMap<>();
    private final Set<String> reservedNames = new HashSet<>();

    /**
     * @param all the feeds, including those that the document does not describe, so that no name changes with the
     *     settings
     */
    GeneratedNames(Collection<Feed> all) {
        // The operation that lists the feeds is listFeeds.
        reservedNames.add("feeds");
        for (Feed feed : all) {
            feedNames.put(feed.name(), reserve(pascalCase(feed.name()), List.of("", UNIVERSAL)));
        }
        for (Feed feed : all) {
            Map<String, String> namesByColumn = valueSchemaNames.computeIfAbsent(feed.name(), name -> new HashMap<>());
            for (String column : feed.usedColumns().keySet()) {
                namesByColumn.put(column, reserve(feedName(feed) + pascalCase(column) + "Value", List.of("")));
            }
            for (Embed embed : feed.embeds()) {
                Map<String, String> namesOfEmbed =
                        embedSchemaNames.computeIfAbsent(feed.name(), name -> new HashMap<>());
                String name = feedName(feed) + pascalCase(embed.name());
                namesOfEmbed.put(embed.name(), reserve(name + "Embed", List.of("")));
                for (Column column : embed.columns()) {
                    namesByColumn.put(
                            embed.name() + '.' + column.name(),
                            reserve(name + pascalCase(column.name()) + "Value", List.of("")));
                }
            }
        }
    }

    /** The name of a feed, which begins with a capital letter. */
    String feedName(Feed feed) {
        return Objects.requireNonNull(feedNames.get(feed.name()));
    }

    /** The name of the schema for the values of a column. The names of a feed's other schemas end differently. */
    String valueSchemaName(Feed feed, Column column) {
        return Objects.requireNonNull(
                Objects.requireNonNull(valueSchemaNames.get(feed.name())).get(column.name()));
    }

    /** The name of the schema for the values of a column of an embed. */
    String valueSchemaName(Feed feed, Embed embed, Column column) {
        return Objects.requireNonNull(
                Objects.requireNonNull(valueSchemaNames.get(feed.name())).get(embed.name() + '.' + column.name()));
    }

    /** The name of the schema of an embedded row. */
    String embedSchemaName(Feed feed, Embed embed) {
        return Objects.requireNonNull(
                Objects.requireNonNull(embedSchemaNames.get(feed.name())).get(embed.name()));
    }

    /**
     * Reserves and returns the first of {@code name}, {@code name2}, {@code name3} and so on that is free with each of
     * the suffixes.
     */
    private String reserve(String name, List<String> suffixes) {
        String free = Stream.concat(
                        Stream.of(name), IntStream.iterate(2, i -> i + 1).mapToObj(i -> name + i))
                .filter(candidate ->
                        suffixes.stream().noneMatch(suffix -> reservedNames.contains(lower(candidate + suffix))))
                .findFirst()
                .orElseThrow();
        suffixes.forEach(suffix -> reservedNames.add(lower(free + suffix)));
        return free;
    }

    private static String pascalCase(String name) {
        return Stream.of(name.split("[^A-Za-z0-9]+"))
                .filter(word -> !word.isEmpty())
                .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                .collect(Collectors.joining());
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}

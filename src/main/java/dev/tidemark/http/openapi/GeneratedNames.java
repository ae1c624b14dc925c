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

    /** By the name of the feed, the ending of the name, and the names of embed and column, as far as they apply. */
    private final Map<List<String>, String> names = new HashMap<>();

    private final Set<String> reservedNames = new HashSet<>();

    /**
     * @param all the feeds, including those that the document does not describe, so that no name changes with the
     *     settings
     */
    GeneratedNames(Collection<Feed> all) {
        // The operation that lists the feeds is listFeeds.
        reservedNames.add("feeds");
        for (Feed feed : all) {
            // Operation and page schema of the universal protocol have this name with "Universal" behind it.
            names.put(key(feed, ""), reserve(pascalCase(feed.name()), List.of("", "Universal")));
        }
        for (Feed feed : all) {
            feed.usedColumns().keySet().forEach(column -> reserve(feed, "Value", column));
            for (Embed embed : feed.embeds()) {
                reserve(feed, "Embed", embed.name());
                embed.columns().forEach(column -> reserve(feed, "Value", embed.name(), column.name()));
            }
        }
    }

    private void reserve(Feed feed, String suffix, String... path) {
        String name = Stream.of(path).map(GeneratedNames::pascalCase).collect(Collectors.joining());
        names.put(key(feed, suffix, path), reserve(feedName(feed) + name + suffix, List.of("")));
    }

    private static List<String> key(Feed feed, String suffix, String... path) {
        return Stream.concat(Stream.of(feed.name(), suffix), Stream.of(path)).toList();
    }

    private String find(Feed feed, String suffix, String... path) {
        return Objects.requireNonNull(names.get(key(feed, suffix, path)));
    }

    /** The name of a feed, which begins with a capital letter. */
    String feedName(Feed feed) {
        return find(feed, "");
    }

    /** The name of the schema for the values of a column. The names of a feed's other schemas end differently. */
    String valueSchemaName(Feed feed, Column column) {
        return find(feed, "Value", column.name());
    }

    /** The name of the schema for the values of a column of an embed. */
    String valueSchemaName(Feed feed, Embed embed, Column column) {
        return find(feed, "Value", embed.name(), column.name());
    }

    /** The name of the schema of an embedded row. */
    String embedSchemaName(Feed feed, Embed embed) {
        return find(feed, "Embed", embed.name());
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

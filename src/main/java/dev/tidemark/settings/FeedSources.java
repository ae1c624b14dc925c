package dev.tidemark.settings;

import io.smallrye.config.SmallRyeConfig;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the files and other sources in which feeds are declared. */
public final class FeedSources {

    /**
     * Matches the name of a source, such as {@code YamlConfigSource[source=file:/etc/tidemark/feeds.yaml]}. A file in a
     * jar follows an exclamation mark.
     */
    private static final Pattern FILE = Pattern.compile(".*\\[source=(?:.*!/|file:(?://)?)?(.*)]");

    private FeedSources() {}

    /**
     * @param feeds the names of the feeds
     * @return the files or other sources of the declarations, without duplicates
     */
    public static List<String> find(SmallRyeConfig config, Collection<String> feeds) {
        return feeds.stream()
                .map(feed -> config.getConfigValue("tidemark.feeds." + feed + ".table")
                        .getConfigSourceName())
                .map(FeedSources::describe)
                .distinct()
                .toList();
    }

    private static String describe(String source) {
        Matcher file = FILE.matcher(String.valueOf(source));
        if (file.matches()) {
            return file.group(1);
        }
        return switch (String.valueOf(source)) {
            case "EnvConfigSource" -> "environment variables";
            case "SysPropConfigSource" -> "system properties";
            default -> String.valueOf(source);
        };
    }
}

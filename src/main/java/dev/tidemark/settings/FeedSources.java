package dev.tidemark.settings;

import io.smallrye.config.SmallRyeConfig;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where feeds are declared. */
public final class FeedSources {

    /** Such as {@code YamlConfigSource[source=file:/etc/tidemark/feeds.yaml]}, and a file in a jar after an exclamation mark. */
    private static final Pattern FILE = Pattern.compile(".*\\[source=(?:.*!/|file:(?://)?)?(.*)]");

    private FeedSources() {}

    /**
     * @param feeds their names
     * @return the files, or what else the declarations come from, without repetition
     */
    public static List<String> of(SmallRyeConfig config, Collection<String> feeds) {
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

package dev.tidemark.settings;

import io.smallrye.config.ConfigValidationException;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Explains why the framework rejects the configuration. The framework's own messages contain neither the file nor the
 * line, and describe the expected value by its Java type.
 */
public final class RejectedSettings {

    /**
     * Matches the code of a message, such as {@code SRCFG00039: }. If the message is quoted by another exception, the
     * name of the exception before the code is matched too.
     */
    private static final Pattern CODE = Pattern.compile("(?:[\\w.$]+(?:Exception|Error): )?SRCFG\\d+: ");

    private static final String PREFIX = "tidemark.";

    private static final List<MessageForm> FORMS = List.of(
            new MessageForm(
                    "The config property (.*) with the config value \"(.*)\" threw an Exception whilst being converted (.*)",
                    (found, locations) -> locations.describe(found.group(1)) + " is \"" + found.group(2) + "\""
                            + expected(found.group(3))),
            new MessageForm(
                    "The config property (.*) is defined as the empty String.*",
                    (found, locations) ->
                            locations.describe(found.group(1)) + " is empty; give it a value, or remove it"),
            new MessageForm(
                    "Could not expand value (.*) in property (.*)",
                    (found, locations) -> locations.describe(found.group(2)) + " refers to ${" + found.group(1)
                            + "}, but there is no environment variable or property with this name"),
            new MessageForm("(tidemark\\..*) in .* does not map to any root", (found, locations) -> SettingNames.fault(
                            found.group(1).substring(PREFIX.length()), false)
                    .orElse("there is no setting " + found.group(1))));

    private RejectedSettings() {}

    /** A form of the framework's messages, and the text to report in its place. */
    private record MessageForm(Pattern pattern, BiFunction<MatchResult, SettingLocations, String> text) {

        MessageForm(String pattern, BiFunction<MatchResult, SettingLocations, String> text) {
            this(Pattern.compile(pattern, Pattern.DOTALL), text);
        }
    }

    /**
     * Describes each rejected setting: where it is set, its value, and what was expected. From a message in an unknown
     * form, only the code is removed.
     *
     * @param locations the configured files, separated by commas
     * @return empty if the framework has not rejected the configuration
     */
    public static List<String> describe(Throwable failure, String locations) {
        return describe(failure, () -> SettingLocations.of(SourceLines.of(ConfigFiles.yamlFiles(locations))));
    }

    /** @param locations called only if the framework has rejected the configuration */
    static List<String> describe(Throwable failure, Supplier<SettingLocations> locations) {
        List<String> messages = Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .map(RejectedSettings::messages)
                .reduce(List.of(), (outer, inner) -> inner.isEmpty() ? outer : inner);
        return messages.isEmpty()
                ? messages
                : messages.stream()
                        .map(message -> describe(message, locations.get()))
                        .distinct()
                        .toList();
    }

    private static List<String> messages(Throwable failure) {
        if (failure instanceof ConfigValidationException several) {
            return IntStream.range(0, several.getProblemCount())
                    .mapToObj(i -> several.getProblem(i).getMessage())
                    .toList();
        }
        String message = String.valueOf(failure.getMessage());
        return CODE.matcher(message).find() ? List.of(message) : List.of();
    }

    private static String describe(String message, SettingLocations locations) {
        String text = CODE.matcher(message).replaceAll("");
        for (MessageForm form : FORMS) {
            Matcher found = form.pattern().matcher(text);
            if (found.matches()) {
                return form.text().apply(found, locations);
            }
        }
        return text;
    }

    private static String expected(String reason) {
        if (reason.contains("integer value") || reason.contains("long value")) {
            return ", but must be a whole number";
        }
        if (reason.contains("[BbKkMm")) {
            return ", but must be a number of bytes, such as 64K or 16M";
        }
        return reason.contains("Duration") || reason.contains("duration")
                ? ", but must be a duration, such as 500ms, 5s, or 1h"
                : ": " + reason;
    }
}

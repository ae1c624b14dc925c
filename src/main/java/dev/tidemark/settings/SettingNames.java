package dev.tidemark.settings;

import dev.tidemark.naming.NearestName;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks the names of settings in the environment and in files. The framework silently ignores unknown environment
 * variables.
 */
public final class SettingNames {

    /** The settings, as they are written below {@code tidemark} in files. */
    private static final List<String> PROPERTIES =
            Setting.SERVER.stream().map(Setting::name).toList();

    static final Set<String> KNOWN_VARIABLES =
            PROPERTIES.stream().map(SettingNames::variable).collect(Collectors.toUnmodifiableSet());

    /**
     * Matches names that are not checked here: those of feeds, which are checked with the declarations; elements of
     * lists; settings of the sample inbox and of tests; and variables that Kubernetes sets in each container if there
     * is a service named {@code tidemark}.
     */
    private static final Pattern UNCHECKED =
            Pattern.compile("TIDEMARK_(FEEDS_.*|.*_\\d+_|INBOX_.*|TEST_.*|SERVICE_(HOST|PORT).*|PORT(_.*)?)");

    private SettingNames() {}

    /** @param names the names of all environment variables */
    public static List<String> faults(Collection<String> names) {
        return names.stream()
                .filter(name -> name.startsWith("TIDEMARK_"))
                .filter(name -> !KNOWN_VARIABLES.contains(name)
                        && !UNCHECKED.matcher(name).matches())
                .sorted()
                .map(name -> "there is no setting " + name
                        + NearestName.hint(
                                name, KNOWN_VARIABLES.stream().sorted().toList()))
                .toList();
    }

    private static String variable(String property) {
        return "TIDEMARK_" + property.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
    }

    /**
     * The fault of a property in a file, if there is one.
     *
     * @param property without {@code tidemark}, such as {@code cursor.keys}
     * @param isMap whether it has properties of its own
     */
    static Optional<String> fault(String property, boolean isMap) {
        String name = variable(property);
        boolean isKnown =
                KNOWN_VARIABLES.contains(name) || UNCHECKED.matcher(name).matches();
        boolean isGroup =
                KNOWN_VARIABLES.stream().anyMatch(known -> known.startsWith(name + '_')) || property.equals("inbox");
        if (isMap ? isGroup : isKnown) {
            return Optional.empty();
        }
        List<String> known =
                Stream.concat(Stream.of("feeds"), PROPERTIES.stream()).toList();
        return Optional.of("there is no setting tidemark." + property + NearestName.hint(property, known));
    }
}

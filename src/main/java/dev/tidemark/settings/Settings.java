package dev.tidemark.settings;

import dev.tidemark.naming.NearestName;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.NameIterator;
import io.smallrye.config.SmallRyeConfig;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The settings of Tidemark, except the declared feeds. Their names, types, and bounds are those of the mappings that
 * read them.
 */
public final class Settings {

    private static final String ROOT = "tidemark.";
    private static final String FEEDS = FeedSource.PROPERTY;
    private static final String NOT_READ = " is not read: declare feeds in a YAML file, or in " + FeedSource.VARIABLE;
    private static final String INBOX = ROOT + "inbox.";

    /** The beginning of the codes in the framework's messages. */
    private static final String MESSAGE_CODE = "SRCFG";

    /** The source of properties that are made of the names of all environment variables. */
    private static final String ENVIRONMENT = "EnvConfigSource";

    /**
     * Matches names that are not checked here: elements of lists; settings of the sample inbox and of tests; and
     * variables that Kubernetes sets in each container if there is a service named {@code tidemark}.
     */
    private static final Pattern UNCHECKED_VARIABLE =
            Pattern.compile("TIDEMARK_(.*_\\d+_|INBOX_.*|TEST_.*|SERVICE_(HOST|PORT).*|PORT(_.*)?)");

    private final Map<String, Setting> byProperty = new TreeMap<>();

    /**
     * A sentence about a property.
     *
     * @param property its name, or the unknown part of its name
     */
    private record Fault(String before, String property, String after) {}

    /** @param mappings interfaces with {@link ConfigMapping} */
    public Settings(List<Class<?>> mappings) {
        for (Class<?> mapping : mappings) {
            String prefix = mapping.getAnnotation(ConfigMapping.class).prefix() + '.';
            for (Method method : mapping.getMethods()) {
                byProperty.put(prefix + Setting.name(method), Setting.of(method));
            }
        }
    }

    /**
     * Checks the values of the settings, and that feeds are declared only where they are read. The framework rejects
     * properties that are not settings by itself.
     *
     * @throws ConfigurationException with a line for each fault
     */
    public void check(SmallRyeConfig config) {
        List<String> faults = describe(
                Stream.concat(findUnreadFeeds(config), findWrongValues(config)).toList(), config);
        if (!faults.isEmpty()) {
            throw new ConfigurationException(faults.stream()
                    .map(fault -> "Tidemark cannot start: " + fault)
                    .collect(Collectors.joining("\n")));
        }
    }

    /**
     * Describes why the framework rejects the configuration. Its own messages contain neither the file nor the line,
     * and describe the expected value by its Java type, so they are quoted only for settings of the framework.
     *
     * @param config reads the configuration without any mapping; called only if the framework rejects it
     * @return empty if the failure has another cause
     */
    public List<String> describe(Throwable failure, Supplier<SmallRyeConfig> config) {
        List<String> messages = Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .map(Settings::messages)
                .reduce(List.of(), (outer, inner) -> inner.isEmpty() ? outer : inner);
        if (messages.isEmpty()) {
            return messages;
        }
        SmallRyeConfig readable = config.get();
        List<Fault> faults = find(readable);
        Stream<Fault> others = messages.stream()
                .filter(message -> faults.stream().noneMatch(fault -> message.contains(fault.property())))
                // The name of an exception can precede the code.
                .map(message -> message.substring(Math.max(0, message.indexOf(MESSAGE_CODE))))
                .map(message -> new Fault("", propertyIn(message, readable), ": " + message));
        return describe(Stream.concat(faults.stream(), others).toList(), readable);
    }

    /** Returns the property that a message is about; {@code the configuration} if it names none that is set. */
    private static String propertyIn(String message, SmallRyeConfig config) {
        return StreamSupport.stream(config.getPropertyNames().spliterator(), false)
                // The environment variable _ has a name that is only a dot.
                .filter(name -> !name.startsWith(".") && name.contains(".") && message.contains(name))
                .max(Comparator.comparingInt(String::length))
                .orElse("the configuration");
    }

    private static List<String> messages(Throwable failure) {
        if (failure instanceof ConfigValidationException several) {
            return IntStream.range(0, several.getProblemCount())
                    .mapToObj(i -> several.getProblem(i).getMessage())
                    .toList();
        }
        String message = String.valueOf(failure.getMessage());
        return message.startsWith(MESSAGE_CODE) ? List.of(message) : List.of();
    }

    private static List<String> describe(List<Fault> faults, SmallRyeConfig config) {
        if (faults.isEmpty()) {
            return List.of();
        }
        SettingLocations locations = SettingLocations.of(SourceLines.of(config));
        return faults.stream()
                .map(fault -> fault.before() + locations.describe(fault.property()) + fault.after())
                .toList();
    }

    private List<Fault> find(SmallRyeConfig config) {
        return Stream.of(findUnknownProperties(config), findUnreadFeeds(config), findWrongValues(config))
                .flatMap(faults -> faults)
                .toList();
    }

    private Stream<Fault> findUnknownProperties(SmallRyeConfig config) {
        return propertyNames(config)
                .filter(name -> !source(name, config).startsWith(ENVIRONMENT))
                .flatMap(name -> unknownPart(name).stream())
                .distinct()
                .map(name -> new Fault("there is no setting ", name, hint(name)));
    }

    /** Finds properties of feeds in sources other than YAML. */
    private static Stream<Fault> findUnreadFeeds(SmallRyeConfig config) {
        return propertyNames(config)
                .filter(name -> name.startsWith(FEEDS + '.'))
                .filter(name -> !FeedSource.isYamlFile(source(name, config)))
                .filter(name -> !source(name, config).startsWith(ENVIRONMENT))
                .map(name -> new Fault("", name, NOT_READ));
    }

    private static String source(String property, SmallRyeConfig config) {
        return String.valueOf(config.getConfigValue(property).getConfigSourceName());
    }

    private Stream<Fault> findWrongValues(SmallRyeConfig config) {
        return byProperty.entrySet().stream()
                .flatMap(entry -> entry
                        .getValue()
                        .fault(config.getConfigValue(entry.getKey()), config)
                        .map(text -> new Fault("", entry.getKey(), ' ' + text))
                        .stream());
    }

    private static Stream<String> propertyNames(SmallRyeConfig config) {
        return StreamSupport.stream(config.getPropertyNames().spliterator(), false)
                .filter(name -> name.startsWith(ROOT))
                .sorted();
    }

    /**
     * Returns the beginning of the property, up to the first segment that is neither a setting nor a group of
     * settings; empty if the property is known.
     */
    private Optional<String> unknownPart(String property) {
        String name = property.replaceFirst("(\\[\\d+])+$", "");
        if (name.equals(FEEDS) || name.startsWith(FEEDS + '.') || name.startsWith(INBOX)) {
            return Optional.empty();
        }
        NameIterator segments = new NameIterator(name);
        while (segments.hasNext()) {
            segments.next();
            String part = name.substring(0, segments.getPosition());
            if (!byProperty.containsKey(part)
                    && byProperty.keySet().stream().noneMatch(known -> known.startsWith(part + '.'))) {
                return Optional.of(part);
            }
        }
        return Optional.empty();
    }

    private String hint(String property) {
        return NearestName.hint(
                property.substring(ROOT.length()),
                Stream.concat(Stream.of(FEEDS), byProperty.keySet().stream())
                        .map(known -> known.substring(ROOT.length()))
                        .toList());
    }

    /**
     * Describes the environment variables that are not settings, which the framework ignores.
     *
     * @param environment the names of all environment variables
     */
    public List<String> unknownVariables(Collection<String> environment) {
        List<String> known = Stream.concat(Stream.of(FEEDS), byProperty.keySet().stream())
                .map(SettingLocations::variable)
                .toList();
        return environment.stream()
                .filter(name -> name.startsWith("TIDEMARK_"))
                .filter(name -> !known.contains(name)
                        && !UNCHECKED_VARIABLE.matcher(name).matches())
                .sorted()
                .map(name -> name.startsWith(FeedSource.VARIABLE + '_')
                        ? name + NOT_READ
                        : "there is no setting " + name + NearestName.hint(name, known))
                .toList();
    }
}

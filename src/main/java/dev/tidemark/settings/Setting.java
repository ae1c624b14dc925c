package dev.tidemark.settings;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.WithName;
import io.smallrye.config.common.utils.StringUtil;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.spi.Converter;

/**
 * A setting, as its mapping declares it.
 *
 * @param type of a value; {@link String} if any value is accepted
 * @param isOptional whether it can be empty
 * @param min the lowest value; empty if there are no bounds
 * @param max the highest value; empty if there is no upper bound
 */
record Setting(Class<?> type, boolean isOptional, String min, String max) {

    /** The words for true and false. The framework reads every other word as false. */
    private static final Set<String> TRUE_OR_FALSE =
            Set.of("true", "false", "yes", "no", "y", "n", "on", "off", "1", "0");

    /** A reference to a property or an environment variable, without a default. */
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^:{}]+)}");

    static Setting of(Method method) {
        Type type = method.getGenericReturnType();
        boolean isOptional = type instanceof ParameterizedType generic && generic.getRawType() == Optional.class;
        Type value = isOptional ? ((ParameterizedType) type).getActualTypeArguments()[0] : type;
        Bounds bounds = method.getAnnotation(Bounds.class);
        return new Setting(
                value instanceof Class<?> simple ? simple : String.class,
                isOptional,
                bounds == null ? "" : bounds.min(),
                bounds == null ? "" : bounds.max());
    }

    /** Returns the name of the property below the prefix of its mapping. */
    static String name(Method method) {
        WithName name = method.getAnnotation(WithName.class);
        return name == null ? StringUtil.skewer(method.getName()) : name.value();
    }

    /** Returns what is wrong with the value, such as {@code is "5", but must be from 1 to 3}. */
    Optional<String> fault(ConfigValue value, SmallRyeConfig config) {
        if (value.hasProblems()) {
            return Optional.of(faultOfReference(value, config));
        }
        if (value.getValue() == null) {
            return Optional.empty();
        }
        if (value.getValue().isEmpty()) {
            return isOptional ? Optional.empty() : Optional.of("is empty; give it a value, or remove it");
        }
        return expected(value.getValue(), config)
                .map(expected -> "is \"" + value.getValue() + "\", but must be " + expected);
    }

    /** @param value with a reference that cannot be resolved */
    private static String faultOfReference(ConfigValue value, SmallRyeConfig config) {
        return REFERENCE
                .matcher(value.getRawValue())
                .results()
                .map(reference -> reference.group(1))
                .filter(name -> config.getConfigValue(name).getValue() == null)
                .findFirst()
                .map(name ->
                        "refers to ${" + name + "}, but there is no environment variable or property with this name")
                .orElse("is \"" + value.getRawValue() + "\", which cannot be resolved");
    }

    /** Returns what the value must be; empty if it is accepted. */
    private Optional<String> expected(String value, SmallRyeConfig config) {
        if (type == boolean.class) {
            return TRUE_OR_FALSE.contains(value.toLowerCase(Locale.ROOT))
                    ? Optional.empty()
                    : Optional.of("true or false");
        }
        Converter<?> converter = config.requireConverter(type);
        try {
            return isWithinBounds(converter, converter.convert(value))
                    ? Optional.empty()
                    : Optional.of(max.isEmpty() ? min + " or more" : "from " + min + " to " + max);
        } catch (IllegalArgumentException malformed) {
            return Optional.of(form());
        }
    }

    private boolean isWithinBounds(Converter<?> converter, Object value) {
        return (min.isEmpty() || compare(value, converter.convert(min)) >= 0)
                && (max.isEmpty() || compare(value, converter.convert(max)) <= 0);
    }

    private static int compare(Object value, Object bound) {
        if (value instanceof Duration duration) {
            return duration.compareTo((Duration) bound);
        }
        return value instanceof MemorySize size
                ? size.asBigInteger().compareTo(((MemorySize) bound).asBigInteger())
                : Long.compare(((Number) value).longValue(), ((Number) bound).longValue());
    }

    private String form() {
        if (type == MemorySize.class) {
            return "a number of bytes, such as 64K or 16M";
        }
        return type == Duration.class ? "a duration, such as 500ms, 5s, or 1h" : "a whole number";
    }
}

package dev.tidemark.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The bounds of a setting, on the method of the mapping that reads it. They are written as in a setting: {@code 64K},
 * {@code 10ms}, or {@code 1}.
 *
 * <p>This is not a constraint of Bean Validation. With a single constraint on a mapping, Quarkus builds a second
 * validator at startup, with the metadata of the mappings of all extensions, which takes 0.2 s of processor time with
 * the C1 compiler alone, and 1 s with both compilers.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Bounds {

    /** The lowest value. */
    String min();

    /** The highest value; empty if there is no upper bound. */
    String max() default "";
}

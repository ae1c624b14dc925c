package dev.tidemark;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** A test that runs only in the profile {@code soak}, because another test covers the essential cases in every build. */
@EnabledIf("dev.tidemark.Soak#isOn")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface OnlyInSoak {}

package dev.tidemark;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** A test that only the profile {@code soak} runs, because another one represents it on every build. */
@EnabledIf("dev.tidemark.Soak#isOn")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface OnlyInSoak {}

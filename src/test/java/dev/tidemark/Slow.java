package dev.tidemark;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that is not part of {@code ./mvnw verify}, because it takes long, or needs several servers or downloads.
 * {@code ./mvnw verify -Pslow} runs it.
 */
@Tag("slow")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Slow {}

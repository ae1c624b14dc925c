package dev.tidemark;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Tests that start no Quarkus application and that take seconds, or mostly wait. They run one after another, in
 * parallel with the Quarkus tests and the tests that use a database.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("dev.tidemark.BesideQuarkusTests")
public @interface BesideQuarkusTests {}

package dev.tidemark;

import dev.tidemark.http.ErrorLog;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Tests without an application of Quarkus, which need seconds or wait. They run one after the other, beside the Quarkus tests and
 * those of a test database.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("dev.tidemark.BesideQuarkusTests")
@ResourceLock(value = ErrorLog.LOCK, mode = ResourceAccessMode.READ)
public @interface BesideQuarkusTests {}

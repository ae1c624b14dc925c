package dev.tidemark.http.requests;

import io.quarkus.runtime.annotations.StaticInitSafe;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SmallRyeConfigBuilderCustomizer;

/**
 * Disables the framework's validation of URLs, which responds to a malformed URL with a status only, before any
 * handler runs; {@link RequestGate} validates URLs more strictly. The framework reads the system property
 * {@code vertx.disableURIValidation} when its classes are initialized. A customizer of the configuration is the only
 * application code that runs earlier in all cases: on the JVM, in a native executable, in dev mode, and in tests.
 */
@StaticInitSafe
public class UriValidationCustomizer implements SmallRyeConfigBuilderCustomizer {

    @Override
    public void configBuilder(SmallRyeConfigBuilder builder) {
        System.setProperty("vertx.disableURIValidation", "true");
    }
}

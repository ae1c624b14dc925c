package dev.tidemark.http.edge;

import io.quarkus.runtime.annotations.StaticInitSafe;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SmallRyeConfigBuilderCustomizer;

/**
 * Disables the framework's validation of URLs, which responds to a malformed URL with a status only, before any handler
 * runs; {@link RequestGate} validates them more strictly. The framework reads the system property when its classes are
 * initialized. Building the configuration is the only application code that runs earlier in every mode: deployed,
 * native, dev mode and tests.
 */
@StaticInitSafe
public class UriValidationCustomizer implements SmallRyeConfigBuilderCustomizer {

    @Override
    public void configBuilder(SmallRyeConfigBuilder builder) {
        System.setProperty("vertx.disableURIValidation", "true");
    }
}

package dev.tidemark.http.edge;

import io.quarkus.runtime.annotations.StaticInitSafe;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SmallRyeConfigBuilderCustomizer;

/**
 * Switches off the framework's validation of URLs, which answers a malformed one with a bare status before any handler runs;
 * {@link RequestGate} validates them more strictly. The switch is a system property that the framework reads when its classes are
 * initialised. Of an application, only the building of its configuration runs before that, in every mode: deployed, native, dev mode
 * and tests.
 */
@StaticInitSafe
public class UriValidationCustomizer implements SmallRyeConfigBuilderCustomizer {

    @Override
    public void configBuilder(SmallRyeConfigBuilder builder) {
        System.setProperty("vertx.disableURIValidation", "true");
    }
}

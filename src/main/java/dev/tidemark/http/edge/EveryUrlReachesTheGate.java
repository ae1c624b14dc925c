package dev.tidemark.http.edge;

import io.quarkus.runtime.annotations.StaticInitSafe;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SmallRyeConfigBuilderCustomizer;

/**
 * Turns off the framework's own look at URLs, which answers a malformed one with a bare status before anything of ours
 * is asked; {@link RequestGate} looks more closely. The framework knows only a system property for it and reads it when
 * its classes are initialised. Nothing of an application runs before that but the making of its configuration, in every
 * mode: deployed, native, in dev mode and in tests.
 */
@StaticInitSafe
public class EveryUrlReachesTheGate implements SmallRyeConfigBuilderCustomizer {

    @Override
    public void configBuilder(SmallRyeConfigBuilder builder) {
        System.setProperty("vertx.disableURIValidation", "true");
    }
}

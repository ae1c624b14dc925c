package dev.tidemark.framework;

import io.quarkus.runtime.annotations.StaticInitSafe;
import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.ConfigValue;
import jakarta.annotation.Priority;
import org.jspecify.annotations.Nullable;

/**
 * Has environment variables and {@code config/application.yaml} take precedence over the files that {@code
 * QUARKUS_CONFIG_LOCATIONS} lists. The framework gives these files the ordinal of the source that names them, such as
 * that of environment variables, and files of profiles a higher one.
 */
@StaticInitSafe
@Priority(4000) // Higher than that of the interceptor that has quarkus.config.locations looked up as well.
public class FilePrecedence implements ConfigSourceInterceptor {

    /**
     * Lower than those of files in the directory {@code config}, which begin at 260. Higher than those of the files in
     * the package, including that of a profile, which has 257.
     */
    private static final int ORDINAL = 258;

    @Override
    public @Nullable ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
        ConfigValue value = context.proceed(name);
        return value != null && name.equals("smallrye.config.locations")
                ? value.withConfigSourceOrdinal(ORDINAL)
                : value;
    }
}

package dev.tidemark.framework;

import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.quarkus.runtime.configuration.QuarkusConfigBuilderCustomizer;
import io.smallrye.config.PropertiesLocationConfigSourceFactory;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.source.yaml.YamlConfigSourceLoader;
import io.smallrye.config.source.yaml.YamlLocationConfigSourceFactory;
import java.time.Duration;

/** The configuration that the server would have, without the mappings for which Quarkus can reject it. */
public final class UnmappedConfig {

    private UnmappedConfig() {}

    /**
     * Reads the configuration from all its sources. They and the converters are named here, because a native
     * executable contains none of the files by which they would be discovered.
     */
    public static SmallRyeConfig read() {
        return new SmallRyeConfigBuilder()
                .forClassLoader(Thread.currentThread().getContextClassLoader())
                .withCustomizers(new QuarkusConfigBuilderCustomizer())
                .addDefaultInterceptors()
                .addDefaultSources()
                .withSources(new YamlConfigSourceLoader.InClassPath())
                .withSources(new YamlConfigSourceLoader.InFileSystem())
                .withSources(new YamlLocationConfigSourceFactory(), new PropertiesLocationConfigSourceFactory())
                .withInterceptors(new FilePrecedence())
                .withConverter(Duration.class, 200, new DurationConverter())
                .withConverter(MemorySize.class, 200, new MemorySizeConverter())
                .build();
    }
}

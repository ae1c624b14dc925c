package dev.tidemark.settings;

import io.quarkus.runtime.annotations.StaticInitSafe;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SmallRyeConfigBuilderCustomizer;

/** Has the framework not reject the properties of feeds as unknown settings. {@link FeedSource} reads the feeds. */
@StaticInitSafe
public class UnmappedFeeds implements SmallRyeConfigBuilderCustomizer {

    @Override
    public void configBuilder(SmallRyeConfigBuilder builder) {
        builder.withMappingIgnore(FeedSource.PROPERTY + ".**");
    }
}

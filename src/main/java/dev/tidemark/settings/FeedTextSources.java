package dev.tidemark.settings;

import io.quarkus.runtime.annotations.StaticInitSafe;
import io.smallrye.config.ConfigurableConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SmallRyeConfigBuilderCustomizer;
import io.smallrye.config.source.yaml.YamlConfigSourceLoader;
import io.smallrye.config.source.yaml.YamlLocationConfigSourceFactory;
import java.io.IOException;
import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.eclipse.microprofile.config.spi.ConfigSourceProvider;

/**
 * Has {@link FeedText} read all YAML files: those that {@code QUARKUS_CONFIG_LOCATIONS} lists, and
 * {@code application.yaml} in the working directory's {@code config} and on the class path. Their order, names, and
 * profiles stay as they are.
 */
@StaticInitSafe
public class FeedTextSources implements SmallRyeConfigBuilderCustomizer {

    /** The settings that the build has read and recorded: in dev mode and tests, feeds too, which are read again. */
    private static final String RECORDED = "Runtime Values";

    @Override
    public void configBuilder(SmallRyeConfigBuilder builder) {
        builder.getSources().replaceAll(FeedTextSources::replace);
        builder.getSourceProviders().replaceAll(FeedTextSources::replace);
    }

    private static ConfigSource replace(ConfigSource source) {
        // A source that depends on settings has the name of its factory.
        if (source instanceof ConfigurableConfigSource
                && source.getName().equals(YamlLocationConfigSourceFactory.class.getName())) {
            return new ConfigurableConfigSource(new Listed());
        }
        return source.getName().equals(RECORDED) ? withoutFeeds(source) : source;
    }

    private static ConfigSource withoutFeeds(ConfigSource recorded) {
        Map<String, String> properties = new HashMap<>(recorded.getProperties());
        properties.keySet().removeIf(name -> name.matches("(%[^.]*\\.)?tidemark\\.feeds\\..*"));
        return new PropertiesConfigSource(properties, RECORDED, recorded.getOrdinal());
    }

    private static ConfigSourceProvider replace(ConfigSourceProvider provider) {
        if (provider instanceof YamlConfigSourceLoader.InFileSystem) {
            return new InFileSystem();
        }
        return provider instanceof YamlConfigSourceLoader.InClassPath ? new InClassPath() : provider;
    }

    /** Runs after all that add sources. */
    @Override
    public int priority() {
        return Integer.MAX_VALUE;
    }

    /** Reads the listed files. */
    private static final class Listed extends YamlLocationConfigSourceFactory {
        @Override
        protected ConfigSource loadConfigSource(URL url, int ordinal) throws IOException {
            return FeedText.source(url, ordinal);
        }
    }

    private static final class InFileSystem extends YamlConfigSourceLoader.InFileSystem {
        @Override
        protected ConfigSource loadConfigSource(URL url, int ordinal) throws IOException {
            return FeedText.source(url, ordinal);
        }
    }

    private static final class InClassPath extends YamlConfigSourceLoader.InClassPath {
        @Override
        protected ConfigSource loadConfigSource(URL url, int ordinal) throws IOException {
            return FeedText.source(url, ordinal);
        }
    }
}

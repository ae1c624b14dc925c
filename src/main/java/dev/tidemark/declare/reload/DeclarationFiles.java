package dev.tidemark.declare.reload;

import dev.tidemark.declare.FeedsConfig;
import dev.tidemark.settings.ConfigFiles;
import dev.tidemark.settings.FeedTextSources;
import dev.tidemark.settings.Settings;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesLocationConfigSourceFactory;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Reads the current contents of the files that {@code QUARKUS_CONFIG_LOCATIONS} lists. All other sources of settings
 * keep their values from startup.
 */
final class DeclarationFiles {

    private static final List<ConfigSourceFactory> FACTORIES =
            List.of(new FeedTextSources.Listed(), new PropertiesLocationConfigSourceFactory());

    private final SmallRyeConfig startupConfig;
    private final Settings settings;
    private final String locations;
    private final List<ConfigSource> otherSources;

    /** @param startupConfig the configuration at startup. The files that it was read from must still exist */
    DeclarationFiles(SmallRyeConfig startupConfig, Settings settings) {
        this.startupConfig = startupConfig;
        this.settings = settings;
        this.locations = startupConfig
                .getOptionalValue("quarkus.config.locations", String.class)
                .orElse("");
        Set<String> files = sources().stream().map(ConfigSource::getName).collect(Collectors.toSet());
        this.otherSources = StreamSupport.stream(
                        startupConfig.getConfigSources().spliterator(), false)
                .filter(source -> !files.contains(source.getName()))
                .toList();
    }

    /**
     * Returns the contents of the files, to compare them with earlier contents. The content is empty for a file that
     * cannot be read, is not a regular file, or is too large.
     */
    Map<Path, Optional<ByteBuffer>> contents() {
        Map<Path, Optional<ByteBuffer>> contents = new TreeMap<>();
        ConfigFiles.files(locations).forEach(file -> contents.put(file, content(file)));
        return contents;
    }

    /** Returns the content of a regular file. Other files are not read, because that can block. */
    private static Optional<ByteBuffer> content(Path file) {
        try {
            return Files.isRegularFile(file) && Files.size(file) <= ConfigFiles.MAX_BYTES
                    ? Optional.of(ByteBuffer.wrap(Files.readAllBytes(file)))
                    : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    /**
     * Returns the faults in the files, except those in the declarations. A blank file is a fault, because it is
     * probably being written.
     */
    List<String> faults(Map<Path, Optional<ByteBuffer>> contents) {
        List<String> faults = ConfigFiles.faults(locations);
        return faults.isEmpty()
                ? contents.entrySet().stream()
                        .filter(file ->
                                file.getValue().map(DeclarationFiles::isBlank).orElse(true))
                        .map(file -> file.getKey() + ": is empty, cannot be read, or is larger than 3 MB")
                        .toList()
                : faults;
    }

    @SuppressWarnings("ByteBufferBackingArray") // ByteBuffer.wrap made all contents.
    private static boolean isBlank(ByteBuffer content) {
        return new String(content.array(), StandardCharsets.UTF_8).isBlank();
    }

    /**
     * @throws ConfigurationException if a setting is not valid; the message lists the faults
     * @throws RuntimeException if the files cannot be read
     */
    FeedsConfig read() {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withProfiles(startupConfig.getProfiles())
                .withSources(otherSources)
                .withSources(sources())
                .withConverter(Duration.class, 200, new DurationConverter())
                .withConverter(MemorySize.class, 200, new MemorySizeConverter())
                .withValidateUnknown(false)
                .build();
        List<String> faults = settings.faults(config);
        if (!faults.isEmpty()) {
            throw new ConfigurationException(String.join("\n  ", faults));
        }
        ConfigMappings.registerConfigMappings(config, Set.of(ConfigClass.configClass(FeedsConfig.class)));
        return config.getConfigMapping(FeedsConfig.class);
    }

    private List<ConfigSource> sources() {
        List<ConfigSource> sources = new ArrayList<>();
        for (ConfigSourceFactory factory : FACTORIES) {
            factory.getConfigSources(new StartupContext()).forEach(sources::add);
        }
        return sources;
    }

    /** Provides the factories with the locations and profiles from startup. */
    private final class StartupContext implements ConfigSourceContext {

        @Override
        public ConfigValue getValue(String name) {
            return startupConfig.getConfigValue(name);
        }

        @Override
        public List<String> getProfiles() {
            return startupConfig.getProfiles();
        }

        @Override
        public Iterator<String> iterateNames() {
            return startupConfig.getPropertyNames().iterator();
        }
    }
}

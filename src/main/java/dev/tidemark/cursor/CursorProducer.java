package dev.tidemark.cursor;

import dev.tidemark.feed.Feeds;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.MemorySize;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Creates the beans that use the cursor keys. Startup fails if a configured key is malformed or a duplicate. */
@Singleton
class CursorProducer {

    private static final Logger LOG = Logger.getLogger(CursorProducer.class);

    @Produces
    @Singleton
    @Startup
    CursorSealer cursorSealer(CursorConfig config, CursorKeys keys) {
        return new CursorSealer(keys, config.lifetime(), Clock.systemUTC());
    }

    @Produces
    @Singleton
    MomentSealer momentSealer(
            CursorKeys keys, Feeds feeds, @ConfigProperty(name = "tidemark.max-page-bytes") MemorySize maxPageBytes) {
        return new MomentSealer(keys, feeds, maxPageBytes.asLongValue());
    }

    @Produces
    @Singleton
    KeyedHash keyedHash(CursorKeys keys) {
        return KeyedHash.derivedFrom(keys);
    }

    @Produces
    @Singleton
    CursorKeys keys(CursorConfig config, Config properties) {
        boolean isSet = Stream.of("tidemark.cursor.keys", "tidemark.cursor.keys[0]")
                .anyMatch(name -> properties.getConfigValue(name).getRawValue() != null);
        return keys(config.keys(), isSet);
    }

    /**
     * @param isSet whether the property exists. If it exists but contains no key, startup fails, because a secret was
     *     probably lost during deployment
     */
    private static CursorKeys keys(Optional<List<String>> configuredKeys, boolean isSet) {
        if (configuredKeys.isPresent()) {
            try {
                return CursorKeys.parse(configuredKeys.get());
            } catch (MalformedKeyException e) {
                throw new ConfigurationException("Tidemark cannot start: " + e.getMessage());
            }
        }
        if (isSet) {
            throw new ConfigurationException("Tidemark cannot start: " + CursorConfig.KEYS_SETTING
                    + " is set but contains no key; omit it to generate a key at each start");
        }
        LOG.warn(CursorConfig.KEYS_SETTING + " is not set: cursors become invalid when this process ends,"
                + " and other instances cannot open them");
        return CursorKeys.random();
    }
}

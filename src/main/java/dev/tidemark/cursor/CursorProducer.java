package dev.tidemark.cursor;

import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;

/** Makes the sealer from the configuration; a key that cannot serve stops the start. */
@Singleton
class CursorProducer {

    private static final Logger LOG = Logger.getLogger(CursorProducer.class);

    @Produces
    @Singleton
    @Startup
    CursorSealer sealer(CursorConfig config, CursorKeys keys) {
        return new AesSivCursorSealer(keys, config.lifetime(), Clock.systemUTC());
    }

    @Produces
    @Singleton
    KeyedHash hash(CursorKeys keys) {
        return KeyedHash.of(keys);
    }

    @Produces
    @Singleton
    CursorKeys keys(CursorConfig config, Config properties) {
        boolean given = Stream.of("tidemark.cursor.keys", "tidemark.cursor.keys[0]")
                .anyMatch(name -> properties.getConfigValue(name).getRawValue() != null);
        return keys(config.keys(), given);
    }

    /** @param given whether the property is there at all: an empty one is a secret that got lost on its way */
    private static CursorKeys keys(Optional<List<String>> configured, boolean given) {
        if (configured.isPresent()) {
            try {
                return CursorKeys.parse(configured.get());
            } catch (MalformedKeyException e) {
                throw new ConfigurationException("Tidemark cannot start: " + e.getMessage());
            }
        }
        if (given) {
            throw new ConfigurationException("Tidemark cannot start: " + CursorConfig.KEYS
                    + " is set and holds no key; leave it out to have one made at each start");
        }
        LOG.warn(CursorConfig.KEYS + " is not set: cursors die with this process, and no other instance opens them");
        return CursorKeys.random();
    }
}

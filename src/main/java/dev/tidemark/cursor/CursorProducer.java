package dev.tidemark.cursor;

import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import org.jboss.logging.Logger;

/** Makes the sealer from the configuration; a key that cannot serve stops the start. */
@Singleton
class CursorProducer {

    private static final Logger LOG = Logger.getLogger(CursorProducer.class);

    @Produces
    @Singleton
    @Startup
    CursorSealer sealer(CursorConfig config) {
        return new AesSivCursorSealer(keys(config.keys().orElse(List.of())), config.lifetime(), Clock.systemUTC());
    }

    private static CursorKeys keys(List<String> configured) {
        if (configured.isEmpty()) {
            LOG.warn(
                    "tidemark.cursor.keys is not set: cursors die with this process, and no other instance opens them");
            return CursorKeys.random();
        }
        try {
            return CursorKeys.parse(configured);
        } catch (MalformedKey e) {
            throw new ConfigurationException("Tidemark cannot start: " + e.getMessage());
        }
    }
}

package dev.tidemark.declare;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Map;
import org.eclipse.microprofile.config.spi.Converter;

/** The declared feeds, and how strictly they are held against the database. */
@ConfigMapping(prefix = "tidemark")
public interface FeedsConfig {

    /**
     * All properties under {@code tidemark.feeds}, as they stand, empty ones too. They are read by {@link DeclarationReader} and not
     * mapped further, so that every unknown property and every malformed value is one fault among the others.
     */
    Map<String, @WithConverter(Verbatim.class) String> feeds();

    /** The framework takes an empty value for none, and fails for want of it. */
    final class Verbatim implements Converter<String> {
        @Override
        public String convert(String value) {
            return value;
        }
    }

    /** How long a start waits for a database that cannot be reached yet. */
    @WithDefault("30s")
    Duration startTimeout();

    /**
     * The shortest time between two looks whether the feeds still fit their tables. One is taken when readiness is asked
     * for, and when a page could not be read.
     */
    @WithDefault("5s")
    Duration recheckInterval();

    /** Whether an order or equality filter that no index serves stops the start, not only warns. */
    @WithDefault("false")
    boolean requireIndexes();
}

package dev.tidemark.postgres;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** How statements run. */
@ConfigMapping(prefix = "tidemark")
public interface PostgresConfig {

    /** After this the database ends a statement, and the client is told {@code timeout}. */
    @WithDefault("5s")
    @DurationMin(millis = 10)
    @DurationMax(hours = 1)
    Duration statementTimeout();
}

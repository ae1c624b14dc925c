package dev.tidemark.inbox;

import dev.tidemark.settings.Bounds;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Settings of the sample inbox. They do not exist in the deployed package. */
@ConfigMapping(prefix = "tidemark.inbox")
interface InboxConfig {

    /** The number of messages. If the existing sample has a different number of messages, it is created again. */
    @WithDefault("10000")
    @Bounds(min = "1", max = "1000000000")
    long rows();

    /** The same seed and number of messages produce the same sample on every machine. */
    @WithDefault("1")
    long seed();

    /** Simulated changes per second after startup: half of them are new messages, the others edits and deletions. */
    @WithDefault("0")
    @Bounds(min = "0", max = "500")
    int traffic();

    /**
     * How long the traffic that a page has started goes on after no page has asked for its rates. Browsers let a
     * hidden page ask only once a minute.
     */
    @WithDefault("90S")
    @Bounds(min = "1s", max = "1h")
    Duration trafficAttention();
}

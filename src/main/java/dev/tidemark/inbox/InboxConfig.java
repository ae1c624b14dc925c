package dev.tidemark.inbox;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/** The sample, and what happens to it. Where the inbox is not deployed, these settings are not known. */
@ConfigMapping(prefix = "tidemark.inbox")
interface InboxConfig {

    /** How many messages; another number than they were made with makes all of them anew. */
    @WithDefault("10000")
    @Min(1)
    @Max(1_000_000_000)
    long rows();

    /** The same seed and number give the same messages on every machine. */
    @WithDefault("1")
    long seed();

    /** Simulated changes per second from the start on: half of them new messages, the others edits and deletions. */
    @WithDefault("0")
    @Min(0)
    @Max(Rates.MAX)
    int traffic();
}

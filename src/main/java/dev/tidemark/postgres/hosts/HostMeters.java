package dev.tidemark.postgres.hosts;

import dev.tidemark.postgres.hosts.Host.Use;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The metrics of each host. */
final class HostMeters {

    private static final String HOST_LABEL = "host";

    private HostMeters() {}

    static void register(Host host, MeterRegistry metrics) {
        Gauge.builder(
                        "tidemark.host.lag",
                        host,
                        gauged -> gauged.lag().toNanos() / (double) TimeUnit.SECONDS.toNanos(1))
                .description("The time for which a standby has been behind the primary")
                .baseUnit("seconds")
                .tag(HOST_LABEL, host.name())
                .register(metrics);
        FunctionCounter.builder("tidemark.host.reads", host, Host::reads)
                .description("Statements that the host has executed, nearly all for pages and counts")
                .tag(HOST_LABEL, host.name())
                .register(metrics);
        for (Use use : Use.values()) {
            Gauge.builder("tidemark.host.use", host, gauged -> gauged.use() == use ? 1 : 0)
                    .description("1 for the current use of the host, 0 for the other uses")
                    .tag(HOST_LABEL, host.name())
                    .tag("use", use.name().toLowerCase(Locale.ROOT))
                    .register(metrics);
        }
    }
}

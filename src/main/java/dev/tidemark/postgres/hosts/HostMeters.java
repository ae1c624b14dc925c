package dev.tidemark.postgres.hosts;

import dev.tidemark.postgres.hosts.Host.Use;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The metrics of each host. */
final class HostMeters {

    private static final String LABEL = "host";

    private HostMeters() {}

    static void register(Host host, MeterRegistry metrics) {
        Gauge.builder("tidemark.host.lag", host, it -> it.lag().toNanos() / (double) TimeUnit.SECONDS.toNanos(1))
                .description("How long a standby has been behind the primary")
                .baseUnit("seconds")
                .tag(LABEL, host.name())
                .register(metrics);
        FunctionCounter.builder("tidemark.host.reads", host, Host::reads)
                .description("Statements of pages and counts that the host has answered")
                .tag(LABEL, host.name())
                .register(metrics);
        for (Use use : Use.values()) {
            Gauge.builder("tidemark.host.use", host, it -> it.use() == use ? 1 : 0)
                    .description("1 for what the host is used for now, 0 for its other uses")
                    .tag(LABEL, host.name())
                    .tag("use", use.name().toLowerCase(Locale.ROOT))
                    .register(metrics);
        }
    }
}

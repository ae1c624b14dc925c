package dev.tidemark.http.edge;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Warns if the process may open fewer files than it needs for its connections. */
@Singleton
class OpenFiles {

    private static final Logger LOG = Logger.getLogger(OpenFiles.class);

    private static final Duration WARNING_INTERVAL = Duration.ofMinutes(10);

    private final int maxConnections;

    /** When a warning was last logged, by {@link System#nanoTime}; {@code null} until the first warning. */
    private final AtomicReference<Long> lastWarningNanos = new AtomicReference<>();

    OpenFiles(@ConfigProperty(name = "quarkus.http.limits.max-connections") int maxConnections) {
        this.maxConnections = maxConnections;
    }

    void warnIfLimitIsLow(@Observes StartupEvent start) throws IOException {
        OptionalLong limit = LaunchMode.current() == LaunchMode.NORMAL ? limit() : OptionalLong.empty();
        if (limit.isPresent() && limit.getAsLong() < maxConnections) {
            LOG.warnf(
                    "This process may open only %d files, but quarkus.http.limits.max-connections is %d. Raise the limit"
                            + " (ulimit -n), or lower the setting",
                    limit.getAsLong(), maxConnections);
        }
    }

    /** Returns the limit of this process; empty if there is none, or on another system than Linux. */
    private static OptionalLong limit() throws IOException {
        Path limits = Path.of("/proc/self/limits");
        return Files.exists(limits)
                ? Files.readAllLines(limits).stream()
                        .filter(line -> line.startsWith("Max open files "))
                        .map(line -> line.split(" +")[3])
                        .filter(limit -> !limit.equals("unlimited"))
                        .mapToLong(Long::parseLong)
                        .findFirst()
                : OptionalLong.empty();
    }

    /**
     * Makes failures to accept connections be logged as one line now and then. Otherwise, Netty, which tries again every
     * second, would log each of them with a stack trace.
     */
    void reportAcceptFailures(Channel listener) {
        listener.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            @SuppressWarnings("deprecation") // Deprecated only in the interface that other handlers share.
            public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
                if (failure instanceof IOException) {
                    warn(failure);
                } else {
                    context.fireExceptionCaught(failure);
                }
            }
        });
    }

    @SuppressWarnings("PrimitiveAtomicReference") // The compared object is the one that get() returned.
    private void warn(Throwable failure) {
        long now = System.nanoTime();
        Long last = lastWarningNanos.get();
        if ((last == null || now - last > WARNING_INTERVAL.toNanos()) && lastWarningNanos.compareAndSet(last, now)) {
            LOG.warnf(
                    "Cannot accept connections: %s (logged at most every %d min)",
                    failure.getMessage(), WARNING_INTERVAL.toMinutes());
        }
    }
}

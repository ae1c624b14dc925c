package dev.tidemark.http.problem;

import dev.tidemark.feed.Feeds;
import dev.tidemark.framework.Requests;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.noop.NoopTimer;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Logs a line for each request answered with a problem, in a category of its own and up to a configured rate. Of the
 * data that the client sent, a line contains only a common method, the path of a served resource, and a well-formed
 * request id.
 */
@Singleton
class FailedRequestLog {

    static final String CATEGORY = "dev.tidemark.requests";

    private static final Logger LOG = Logger.getLogger(CATEGORY);

    /**
     * Records nothing. The framework's sample returns its duration only when it is stopped with a timer.
     */
    private static final Timer DISCARDING_TIMER =
            new NoopTimer(new Meter.Id("tidemark.nowhere", Tags.empty(), null, null, Meter.Type.TIMER));

    /** Resolved at the first request, because this bean is created before the feeds are. */
    private final Instance<Feeds> feeds;

    private final LogRateLimit clientErrorLimit;
    private final LogRateLimit serverErrorLimit;

    /** A feed whose table has changed can stay unavailable for hours, and each of its requests fails. */
    private final LogRateLimit unavailableFeedLimit;

    FailedRequestLog(Instance<Feeds> feeds, RequestLogConfig config) {
        this.feeds = feeds;
        this.clientErrorLimit = perSecond(config);
        this.serverErrorLimit = perSecond(config);
        this.unavailableFeedLimit = new LogRateLimit(1, Duration.ofMinutes(1), System.nanoTime());
    }

    /** @param unexpectedFailure an unexpected exception to log with its stack trace; null if there is none */
    void log(HttpServerRequest request, ProblemCode code, String id, @Nullable Throwable unexpectedFailure) {
        Level level = code.status() < 500 ? Level.INFO : unexpectedFailure == null ? Level.WARN : Level.ERROR;
        if (!LOG.isEnabled(level)) {
            return;
        }
        long omittedLines = limit(code).tryAcquire(System.nanoTime());
        if (omittedLines < 0) {
            return;
        }
        String line = MetricLabels.method(request) + ' ' + LoggedPath.of(request, feeds.get()) + " status="
                + code.status() + " code=" + code.wireName() + " request_id=" + id + " ms=" + elapsedMillis(request);
        LOG.log(level, omittedLines == 0 ? line : line + " left_out_before=" + omittedLines, unexpectedFailure);
    }

    private static LogRateLimit perSecond(RequestLogConfig config) {
        return new LogRateLimit(config.linesPerSecond(), Duration.ofSeconds(1), System.nanoTime());
    }

    private LogRateLimit limit(ProblemCode code) {
        if (code == ProblemCode.FEED_UNAVAILABLE) {
            return unavailableFeedLimit;
        }
        return code.status() < 500 ? clientErrorLimit : serverErrorLimit;
    }

    /**
     * Returns the milliseconds since the request's headers were read, or "unknown" if the framework does not measure
     * the request.
     */
    private static String elapsedMillis(HttpServerRequest request) {
        Timer.Sample measurement = Requests.measurementOf(request);
        return measurement == null
                ? "unknown"
                : Long.toString(TimeUnit.NANOSECONDS.toMillis(measurement.stop(DISCARDING_TIMER)));
    }
}

package dev.tidemark.framework;

import io.micrometer.core.instrument.Timer;
import io.quarkus.micrometer.runtime.binder.RequestMetricInfo;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import org.jspecify.annotations.Nullable;

/** What the framework knows about a request. */
public final class Requests {

    private Requests() {}

    public static Context contextOf(HttpServerRequest request) {
        return ((HttpServerRequestInternal) request).context();
    }

    /** Returns the measurement that began when the request's headers were read; {@code null} if there is none. */
    public static Timer.@Nullable Sample measurementOf(HttpServerRequest request) {
        return request instanceof HttpServerRequestInternal measured
                        && measured.metric() instanceof RequestMetricInfo metric
                ? metric.getSample()
                : null;
    }
}

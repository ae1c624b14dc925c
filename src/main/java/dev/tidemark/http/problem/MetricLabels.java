package dev.tidemark.http.problem;

import io.micrometer.core.instrument.Tags;
import io.quarkus.micrometer.runtime.HttpServerMetricsTagsContributor;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.util.Set;

/**
 * Limits the values of the labels {@code method} and {@code uri} of the framework's request metric. Clients could
 * otherwise send any number of values, and each new value creates a time series that is kept until the process ends. A
 * meter filter does not help, because the registry also keeps a reference to each unfiltered id.
 */
@Singleton
class MetricLabels implements HttpServerMetricsTagsContributor {

    private static final String OTHER = "OTHER";

    private static final Set<HttpMethod> METHODS = Set.of(
            HttpMethod.GET,
            HttpMethod.HEAD,
            HttpMethod.OPTIONS,
            HttpMethod.POST,
            HttpMethod.PUT,
            HttpMethod.PATCH,
            HttpMethod.DELETE);

    /** The framework's context key for the path template of the matched resource method. */
    private static final String TEMPLATE_KEY = "UrlPathTemplate";

    @Override
    public Tags contribute(Context context) {
        String template = context.requestContextLocalData(TEMPLATE_KEY);
        return Tags.of("method", method(context.request()), "uri", template == null ? OTHER : template);
    }

    /** Returns the request's method, or OTHER if the method is not a common one. */
    static String method(HttpServerRequest request) {
        HttpMethod method = request.method();
        return METHODS.contains(method) ? method.name() : OTHER;
    }
}

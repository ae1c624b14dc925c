package dev.tidemark.http.problem;

import io.micrometer.core.instrument.Tags;
import io.quarkus.micrometer.runtime.HttpServerMetricsTagsContributor;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.util.Set;

/**
 * Labels of the framework's own metric of requests, in the place of those that a client chooses: each new one is a
 * series that is kept as long as the process. A filter of meters would not do, for the registry keeps what it is given
 * beside what the filter makes of it.
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

    /** Where the framework leaves the path of a resource's method as its annotations have it. */
    static final String TEMPLATE = "UrlPathTemplate";

    @Override
    public Tags contribute(Context context) {
        String template = context.requestContextLocalData(TEMPLATE);
        return Tags.of("method", method(context.request()), "uri", template == null ? OTHER : template);
    }

    /** The request's method, where it is one of those that are known. */
    static String method(HttpServerRequest request) {
        HttpMethod method = request.method();
        return METHODS.contains(method) ? method.name() : OTHER;
    }
}

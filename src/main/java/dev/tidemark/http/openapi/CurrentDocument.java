package dev.tidemark.http.openapi;

import dev.tidemark.feed.Feeds;
import io.quarkus.smallrye.openapi.runtime.OpenApiDocumentService;
import io.quarkus.smallrye.openapi.runtime.OpenApiRecorder.UserDefinedRuntimeFilters;
import io.smallrye.openapi.runtime.io.Format;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.openapi.OASFilter;

/** Serves the OpenAPI document of Quarkus, which is created again whenever the feeds are replaced. */
@Alternative
@Priority(1)
@Singleton
public class CurrentDocument extends OpenApiDocumentService {

    private final OASFilter security;
    private final UserDefinedRuntimeFilters filters;
    private final Config config;
    private volatile OpenApiDocumentService latestService;

    @Inject
    CurrentDocument(OASFilter security, UserDefinedRuntimeFilters filters, Config config) {
        super(security, filters, config);
        this.security = security;
        this.filters = filters;
        this.config = config;
    }

    void onReplaced(@Observes @Priority(Feeds.Replacement.DESCRIBE_PRIORITY) Feeds.Replacement replacement) {
        latestService = new OpenApiDocumentService(security, filters, config);
    }

    @Override
    public byte[] getDocument(Format format) {
        return latestService == null ? super.getDocument(format) : latestService.getDocument(format);
    }
}

package dev.tidemark.http.openapi;

import dev.tidemark.feed.Feeds;
import io.quarkus.smallrye.openapi.runtime.OpenApiDocumentService;
import io.smallrye.openapi.runtime.io.Format;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the OpenAPI document that Quarkus creates for a request, until the feeds are replaced. */
@Alternative
@Priority(1)
@Singleton
public class CurrentDocument extends OpenApiDocumentService {

    private volatile Map<Format, byte[]> documents = new ConcurrentHashMap<>();

    void onReplaced(@Observes @Priority(Feeds.Replacement.DESCRIBE_PRIORITY) Feeds.Replacement replacement) {
        documents = new ConcurrentHashMap<>();
    }

    @Override
    public byte[] getDocument(String name, Format format) {
        return documents.computeIfAbsent(format, absent -> super.getDocument(name, absent));
    }
}

package dev.tidemark.http.openapi;

import dev.tidemark.http.json.Json;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.quarkus.smallrye.openapi.runtime.OpenApiDocumentService;
import io.smallrye.openapi.runtime.io.Format;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import jakarta.annotation.Priority;
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

    /** Makes the next request create the document again. */
    public void forget() {
        documents = new ConcurrentHashMap<>();
    }

    @Override
    public byte[] getDocument(String name, Format format) {
        return documents.computeIfAbsent(format, absent -> create(name, absent));
    }

    /** Creates the document that the filters describe at this moment, and does not keep it. */
    byte[] create(Format format) {
        return create(OpenApiFilter.DEFAULT_DOCUMENT_NAME, format);
    }

    private byte[] create(String name, Format format) {
        byte[] document = super.getDocument(name, format);
        // The JSON of Quarkus is indented, which would be a third of its size.
        return format == Format.JSON ? Json.bytes(new JsonObject(Buffer.buffer(document))) : document;
    }
}

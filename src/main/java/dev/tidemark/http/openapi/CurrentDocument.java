package dev.tidemark.http.openapi;

import dev.tidemark.framework.DocumentService;
import dev.tidemark.http.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the OpenAPI document that Quarkus creates for a request, until a feed is replaced. */
@Alternative
@Priority(1)
@Singleton
public class CurrentDocument extends DocumentService {

    /** The documents by whether they are JSON. */
    private volatile Map<Boolean, byte[]> documents = new ConcurrentHashMap<>();

    /** Makes the next request create the document again. */
    public void forget() {
        documents = new ConcurrentHashMap<>();
    }

    @Override
    protected byte[] document(boolean isJson) {
        return documents.computeIfAbsent(isJson, this::create);
    }

    /** Creates the document that the filters describe at this moment, and does not keep it. */
    byte[] create(boolean isJson) {
        byte[] document = runFilters(isJson);
        // The JSON of Quarkus is indented, which would be a third of its size.
        return isJson ? Json.bytes(new JsonObject(Buffer.buffer(document))) : document;
    }
}

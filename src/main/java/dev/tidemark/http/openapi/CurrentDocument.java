package dev.tidemark.http.openapi;

import dev.tidemark.feed.Feed;
import dev.tidemark.framework.DocumentService;
import dev.tidemark.http.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the OpenAPI document of all feeds, which the first request creates, until a feed is replaced. */
@Alternative
@Priority(1)
@Singleton
public class CurrentDocument extends DocumentService {

    private final Instance<DescribedFeeds> feeds;

    /** The documents by whether they are JSON. */
    private volatile Map<Boolean, byte[]> documents = new ConcurrentHashMap<>();

    /** @param feeds not available yet, because Quarkus creates the service before the feeds are resolved */
    CurrentDocument(Instance<DescribedFeeds> feeds) {
        this.feeds = feeds;
    }

    /** Makes the next request create the document again. */
    public void forget() {
        documents = new ConcurrentHashMap<>();
    }

    @Override
    protected byte[] document(boolean isJson) {
        return documents.computeIfAbsent(isJson, json -> bytes(feeds.get().describeAll(template()), json));
    }

    /** Creates the document of a single feed. */
    byte[] document(Feed feed, boolean isJson) {
        return bytes(feeds.get().describe(feed, template()), isJson);
    }

    private JsonObject template() {
        return new JsonObject(Buffer.buffer(staticDocument()));
    }

    private static byte[] bytes(JsonObject document, boolean isJson) {
        byte[] json = Json.bytes(document);
        return isJson ? json : yaml(json);
    }
}

package dev.tidemark.http.json;

import io.vertx.core.json.JsonObject;
import io.vertx.core.json.jackson.JacksonCodec;

/** Encodes JSON documents other than pages and exports, which are written to a {@link JsonBytes}. */
public final class Json {

    private Json() {}

    public static byte[] bytes(JsonObject document) {
        // The default codec would create an ObjectMapper at startup.
        return new JacksonCodec().toBuffer(document, false).getBytes();
    }
}

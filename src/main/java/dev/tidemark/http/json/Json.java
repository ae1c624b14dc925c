package dev.tidemark.http.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Writes JSON documents other than rows, which {@link JsonBytes} writes. Floating-point numbers have the fewest digits
 * that read back as the same value.
 */
public final class Json {

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .rootValueSeparator((String) null)
            .build();

    /** The content of a document. */
    @FunctionalInterface
    public interface Document {
        void write(JsonGenerator json) throws IOException;
    }

    private Json() {}

    public static byte[] bytes(Document document) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            document.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}

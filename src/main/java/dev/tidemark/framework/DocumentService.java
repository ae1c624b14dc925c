package dev.tidemark.framework;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.quarkus.smallrye.openapi.runtime.OpenApiDocumentService;
import io.smallrye.openapi.runtime.io.Format;
import io.smallrye.openapi.runtime.io.JsonIO;
import java.nio.charset.StandardCharsets;

/** Serves the OpenAPI document. An alternative of a subclass replaces the service of Quarkus. */
public abstract class DocumentService extends OpenApiDocumentService {

    /** @return the document, as JSON or as YAML */
    protected abstract byte[] document(boolean isJson);

    @Override
    public final byte[] getDocument(String name, Format format) {
        return document(format == Format.JSON);
    }

    /**
     * Returns the document of the build, {@code META-INF/openapi.yaml} with the settings of the framework, as JSON.
     */
    protected final byte[] staticDocument() {
        return super.getDocument(OpenApiFilter.DEFAULT_DOCUMENT_NAME, Format.JSON);
    }

    /** Converts JSON to YAML. */
    protected static byte[] yaml(byte[] json) {
        return yaml(JsonIO.newInstance(null), new String(json, StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static <V, A extends V, O extends V, AB, OB> String yaml(JsonIO<V, A, O, AB, OB> io, String json) {
        return io.toString(io.fromString(json, Format.JSON), Format.YAML);
    }
}

package dev.tidemark.framework;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.quarkus.smallrye.openapi.runtime.OpenApiDocumentService;
import io.smallrye.openapi.runtime.io.Format;

/** Serves the OpenAPI document. An alternative of a subclass replaces the service of Quarkus. */
public abstract class DocumentService extends OpenApiDocumentService {

    /** @return the document, as JSON or as YAML */
    protected abstract byte[] document(boolean isJson);

    @Override
    public final byte[] getDocument(String name, Format format) {
        return document(format == Format.JSON);
    }

    /** Creates the document that the filters describe at this moment. */
    protected final byte[] runFilters(boolean isJson) {
        return super.getDocument(OpenApiFilter.DEFAULT_DOCUMENT_NAME, isJson ? Format.JSON : Format.YAML);
    }
}

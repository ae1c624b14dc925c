package dev.tidemark.http.fresh;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyWriter;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/**
 * Passes the response to the stream that is its entity. The framework's own event streams send the status before the first
 * number is known, and buffer every event for slow clients.
 */
@Provider
public class FreshStreamWriter implements ServerMessageBodyWriter<FreshStream> {

    @Override
    public boolean isWriteable(
            Class<?> type, Type genericType, ResteasyReactiveResourceInfo target, MediaType mediaType) {
        return type == FreshStream.class;
    }

    @Override
    public void writeResponse(FreshStream stream, Type genericType, ServerRequestContext context) {
        ResteasyReactiveRequestContext request = (ResteasyReactiveRequestContext) context;
        request.suspend();
        stream.writeTo(context.serverResponse(), request::resume);
    }

    @Override
    public boolean isWriteable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return type == FreshStream.class;
    }

    @Override
    public void writeTo(
            FreshStream stream,
            Class<?> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, Object> httpHeaders,
            OutputStream entityStream) {
        throw new UnsupportedOperationException("a stream is written asynchronously");
    }
}

package dev.tidemark.http.bodies;

import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
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
 * Calls {@link StreamedBody#writeTo} if the entity of a response is a {@link StreamedBody}. The framework's own
 * streams send the status before the first item is known, and buffer all items that a slow client has not read.
 */
@Provider
public class StreamedBodyWriter implements ServerMessageBodyWriter<StreamedBody> {

    @Override
    public boolean isWriteable(
            Class<?> type, Type genericType, ResteasyReactiveResourceInfo target, MediaType mediaType) {
        return StreamedBody.class.isAssignableFrom(type);
    }

    @Override
    public void writeResponse(StreamedBody body, Type genericType, ServerRequestContext context) {
        ResteasyReactiveRequestContext request = (ResteasyReactiveRequestContext) context;
        RoutingContext routing = request.unwrap(RoutingContext.class);
        if (routing.request().version() == HttpVersion.HTTP_1_0) {
            // Without Content-Length or chunks, the end of the connection marks the end of the body.
            routing.addEndHandler(ended -> routing.request().connection().close());
        }
        request.suspend();
        body.writeTo(context.serverResponse(), request::resume);
    }

    @Override
    public boolean isWriteable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return StreamedBody.class.isAssignableFrom(type);
    }

    @Override
    public void writeTo(
            StreamedBody body,
            Class<?> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, Object> httpHeaders,
            OutputStream entityStream) {
        throw new UnsupportedOperationException("a stream is written asynchronously");
    }
}

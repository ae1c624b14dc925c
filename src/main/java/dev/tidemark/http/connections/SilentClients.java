package dev.tidemark.http.connections;

import dev.tidemark.framework.Connections;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;

/** Has the kernel close the connections of clients that are gone, see {@link Connections#closeIfSilent}. */
@Singleton
class SilentClients implements HttpServerOptionsCustomizer {

    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        options.setTcpUserTimeout(Math.toIntExact(Connections.LONGEST_SILENCE.toMillis()));
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        customizeHttpServer(options);
    }
}

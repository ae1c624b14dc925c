package dev.tidemark.postgres.connection;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.pgclient.PgConnectOptions;

/** A TLS handshake with the database, made as the driver makes it, to find out why the driver's failed. */
final class Handshake {

    private Handshake() {}

    /** Fails with what is wrong with the server's certificate. */
    static Future<Void> with(PgConnectOptions server, Vertx vertx) {
        NetClient client = vertx.createNetClient(new NetClientOptions(server).setSsl(false));
        return client.connect(server.getSocketAddress())
                .compose(Handshake::upgraded)
                .eventually(() -> client.close());
    }

    private static Future<Void> upgraded(NetSocket socket) {
        Promise<Void> upgraded = Promise.promise();
        socket.closeHandler(closed -> upgraded.tryFail("the connection was closed"));
        socket.handler(answer -> {
            // From here on the upgrade itself reports a failure, before or after the connection is closed.
            socket.closeHandler(null);
            socket.upgradeToSsl().onComplete(upgraded);
        });
        socket.write(sslRequest());
        return upgraded.future();
    }

    /** PostgreSQL's SSLRequest: its length, and a code in place of a protocol version. A native image can hold no buffer. */
    private static Buffer sslRequest() {
        return Buffer.buffer().appendInt(8).appendInt(80877103);
    }
}

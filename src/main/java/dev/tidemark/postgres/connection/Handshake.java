package dev.tidemark.postgres.connection;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.pgclient.PgConnectOptions;

/** A handshake of TLS with a database as the driver makes it, which tells that one failed, but not why. */
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
            // From here on, what is wrong is told before the connection is closed, or after.
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

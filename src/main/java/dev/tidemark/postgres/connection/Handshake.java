package dev.tidemark.postgres.connection;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.pgclient.PgConnectOptions;

/** Repeats the driver's TLS handshake with the database to find out why it failed. */
final class Handshake {

    private Handshake() {}

    /** Performs a TLS handshake. Fails with the cause if the handshake fails, for example an untrusted certificate. */
    static Future<Void> attempt(PgConnectOptions server, Vertx vertx) {
        NetClient client = vertx.createNetClient(new NetClientOptions(server).setSsl(false));
        return client.connect(server.getSocketAddress())
                .compose(Handshake::upgradeToTls)
                .eventually(() -> client.close());
    }

    private static Future<Void> upgradeToTls(NetSocket socket) {
        Promise<Void> upgraded = Promise.promise();
        socket.closeHandler(closed -> upgraded.tryFail("the connection was closed"));
        socket.handler(answer -> {
            // From here on, only the upgrade reports a failure: if it fails, the connection is closed, and the close
            // handler
            // would hide the cause.
            socket.closeHandler(null);
            socket.upgradeToSsl().onComplete(upgraded);
        });
        socket.write(sslRequest());
        return upgraded.future();
    }

    /**
     * Returns PostgreSQL's message SSLRequest: its length, and a code in place of a protocol version. It is not a
     * constant, because a native image cannot contain a buffer.
     */
    private static Buffer sslRequest() {
        return Buffer.buffer().appendInt(8).appendInt(80877103);
    }
}

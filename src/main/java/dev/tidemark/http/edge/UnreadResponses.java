package dev.tidemark.http.edge;

import io.netty.handler.codec.http2.Http2Error;
import io.quarkus.vertx.http.ManagementInterface;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Limits the memory for responses that a client requests but does not read. {@code ExportStream.check} and
 * {@code FreshStream.writeHeartbeat} end streams that a client does not read.
 */
@Singleton
class UnreadResponses {

    private static final int BEFORE_OTHER_ROUTES = -1_000;

    private final ConnectionGuards guards;

    UnreadResponses(ConnectionGuards guards) {
        this.guards = guards;
    }

    void register(@Observes ManagementInterface management) {
        management.router().route().order(BEFORE_OTHER_ROUTES).handler(context -> {
            int headBytes = RequestHead.of(context.request()).bytes(context.request());
            begin(context, headBytes);
            passWhenDrained(context, headBytes);
        });
    }

    /** Counts the head of a request. Must be called once for each request. */
    void begin(RoutingContext context, int headBytes) {
        ConnectionGuard guard = guards.guardOf(context.request().connection());
        if (context.request().version() == HttpVersion.HTTP_2) {
            guard.limitHttpTwo();
            guard.endHttpTwoHead(context.response().streamId(), headBytes);
        } else {
            guard.endHttpOneHead(headBytes);
        }
    }

    /**
     * Passes on a request once the client has read enough of the earlier responses, because unread responses stay in
     * memory. Over HTTP/2, responses do not wait for each other, so a request is passed on or rejected at once.
     */
    void passWhenDrained(RoutingContext context, int headBytes) {
        HttpServerResponse response = context.response();
        ConnectionGuard guard = guards.guardOf(context.request().connection());
        if (context.request().version() == HttpVersion.HTTP_2) {
            if (guard.isOverBudget()) {
                // With this code, a client knows that it can send the request again.
                response.reset(Http2Error.REFUSED_STREAM.code());
            } else {
                context.next();
            }
        } else if (response.writeQueueFull()) {
            guard.setWaitingHead(headBytes);
            response.drainHandler(drained -> {
                response.drainHandler(null);
                guard.setWaitingHead(0);
                context.next();
            });
        } else {
            context.next();
        }
    }

    /** Returns whether no connection gets another response, because other clients do not read. */
    boolean isMemoryShort() {
        return guards.isMemoryShort();
    }

    /**
     * Returns whether the client of an HTTP/2 connection gets no response until it has read earlier ones. For HTTP/1,
     * returns false.
     */
    static boolean isRejected(RoutingContext context) {
        return context.request().version() == HttpVersion.HTTP_2
                && ConnectionGuard.of(context.request().connection()).isOverBudget();
    }
}

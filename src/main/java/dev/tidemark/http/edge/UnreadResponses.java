package dev.tidemark.http.edge;

import io.quarkus.vertx.http.ManagementInterface;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
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
            if (begin(context, headBytes)) {
                passWhenRead(context, headBytes);
            }
        });
    }

    /**
     * Counts the head of a request. Must be called once for each request.
     *
     * @return false if the request was refused, as {@link #refuse} does
     */
    boolean begin(RoutingContext context, int headBytes) {
        ConnectionGuard guard = guards.guardOf(context.request().connection());
        if (context.request().version() == HttpVersion.HTTP_2) {
            guard.limitHttpTwo();
            guard.endHttpTwoHead(context.response().streamId(), headBytes);
        } else {
            guard.endHttpOneHead(headBytes);
        }
        return !refuse(context, 0);
    }

    /**
     * Passes on a request once the client has read enough of the earlier responses, because unread responses stay in
     * memory.
     */
    void passWhenRead(RoutingContext context, int headBytes) {
        HttpServerResponse response = context.response();
        ConnectionGuard guard = guards.guardOf(context.request().connection());
        if (context.request().version() == HttpVersion.HTTP_2) {
            if (!guard.mustRead()) {
                context.next();
                return;
            }
            Context vertxContext = Vertx.currentContext();
            guard.runWhenRead(
                    response.streamId(),
                    () -> vertxContext.runOnContext(read -> {
                        if (!refuse(context, 0)) {
                            passWhenRead(context, headBytes);
                        }
                    }));
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
     * Refuses an HTTP/2 request if its connection gets no further response, because the budget of the process is used
     * up.
     *
     * @param responseBytes the size of the response; 0 if it is unknown
     * @return whether the request was refused
     */
    static boolean refuse(RoutingContext context, int responseBytes) {
        if (context.request().version() != HttpVersion.HTTP_2) {
            return false;
        }
        ConnectionGuard guard = ConnectionGuard.of(context.request().connection());
        if (!guard.isRefused(responseBytes)) {
            return false;
        }
        guard.refuse(context.response());
        return true;
    }
}

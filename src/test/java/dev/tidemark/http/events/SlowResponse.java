package dev.tidemark.http.events;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jboss.resteasy.reactive.server.spi.ServerHttpResponse;

/**
 * A response whose client accepts an event or heartbeat only when the test says so. It replaces a connection, because
 * a network would buffer all that such a client does not read. Used only in the context of the stream.
 */
public final class SlowResponse {

    private final List<String> writes = new ArrayList<>();
    private final Deque<Consumer<Throwable>> pendingWrites = new ArrayDeque<>();

    /** The events and heartbeats that were written, and {@code end} once the response has ended. */
    public List<String> writes() {
        return writes;
    }

    /** Accepts the write that is in progress, if there is one. */
    public void accept() {
        if (!pendingWrites.isEmpty()) {
            pendingWrites.remove().accept(null);
        }
    }

    public ServerHttpResponse response() {
        return (ServerHttpResponse) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ServerHttpResponse.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "write" -> {
                            String written = new String((byte[]) arguments[0], StandardCharsets.UTF_8);
                            if (written.startsWith("retry:")) {
                                asConsumer(arguments[1]).accept(null);
                            } else {
                                writes.add(written);
                                pendingWrites.add(asConsumer(arguments[1]));
                            }
                        }
                        case "end" -> writes.add("end");
                        case "closed" -> {
                            return false;
                        }
                        default -> {}
                    }
                    return proxy;
                });
    }

    @SuppressWarnings("unchecked")
    private static Consumer<Throwable> asConsumer(Object argument) {
        return (Consumer<Throwable>) argument;
    }
}

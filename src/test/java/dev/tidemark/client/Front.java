package dev.tidemark.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tidemark.http.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A proxy in front of the server under test, which treats event streams as a test requests. */
final class Front implements AutoCloseable {

    /** Responds to a request for an event stream. */
    interface Streams {
        void respond(HttpExchange exchange) throws Exception;
    }

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** What is being passed on. A thread that waits for more of it cannot be interrupted. */
    private final Set<InputStream> bodies = ConcurrentHashMap.newKeySet();

    /** The queries of the requests for event streams. */
    final List<String> streamQueries = new CopyOnWriteArrayList<>();

    volatile Streams streams = this::forward;
    volatile Streams pages = this::forward;

    Front() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                if (exchange.getRequestURI().getPath().endsWith("/live")) {
                    streamQueries.add(String.valueOf(exchange.getRequestURI().getRawQuery()));
                    streams.respond(exchange);
                } else {
                    pages.respond(exchange);
                }
            } catch (Exception e) {
                throw new IOException(e);
            }
        });
        server.start();
    }

    TidemarkClient client() {
        return TidemarkClient.of(
                URI.create("http://localhost:" + server.getAddress().getPort()));
    }

    /** Passes a response on as it arrives. */
    void forward(HttpExchange exchange) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        TestServer.url(exchange.getRequestURI().toString()))
                .header("Accept", exchange.getRequestHeaders().getFirst("Accept"))
                .build();
        HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
        try (InputStream in = response.body()) {
            bodies.add(in);
            if (closed.getCount() == 0) {
                return;
            }
            response.headers().firstValue("Content-Type").ifPresent(type -> exchange.getResponseHeaders()
                    .add("Content-Type", type));
            exchange.sendResponseHeaders(response.statusCode(), 0);
            OutputStream out = exchange.getResponseBody();
            byte[] bytes = new byte[8192];
            for (int read; (read = in.read(bytes)) > 0; ) {
                out.write(bytes, 0, read);
                out.flush();
            }
        } finally {
            bodies.remove(response.body());
        }
    }

    /** Returns what the server responds. */
    String get(String target) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(TestServer.url(target)).build();
        return http.send(request, BodyHandlers.ofString()).body();
    }

    /** Responds with nothing until the front is closed. */
    void withhold(HttpExchange exchange) throws Exception {
        closed.await();
    }

    static Streams response(int status, String contentType, String body) {
        return exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", contentType);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        server.stop(0);
        for (InputStream body : bodies) {
            body.close();
        }
        threads.shutdown();
    }
}

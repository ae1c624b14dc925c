package dev.tidemark;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Publishes a public key as a JWKS document. It responds with status 502 until {@link #becomeAvailable()}, and from
 * then on delays its responses until {@link #answer()}.
 */
final class IdentityProvider implements AutoCloseable {

    private final CountDownLatch available = new CountDownLatch(1);
    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

    IdentityProvider(RSAPublicKey key) throws IOException {
        server.setExecutor(threads);
        server.createContext("/jwks", exchange -> {
            if (available.getCount() > 0) {
                exchange.sendResponseHeaders(502, -1);
                exchange.close();
                return;
            }
            requested.countDown();
            await(answered);
            send(exchange, jwks(key));
        });
        server.start();
    }

    String jwksUrl() {
        return "http://localhost:" + server.getAddress().getPort() + "/jwks";
    }

    void becomeAvailable() {
        available.countDown();
    }

    /** Waits for a request after {@link #becomeAvailable()}. The request is answered only after {@link #answer()}. */
    void awaitRequest() {
        await(requested);
    }

    void answer() {
        answered.countDown();
    }

    @Override
    public void close() {
        answer();
        server.stop(0);
        threads.shutdownNow();
    }

    private static String jwks(RSAPublicKey key) {
        return "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"main\",\"n\":\""
                + withoutSignByte(key.getModulus().toByteArray()) + "\",\"e\":\""
                + withoutSignByte(key.getPublicExponent().toByteArray()) + "\"}]}";
    }

    private static String withoutSignByte(byte[] number) {
        int sign = number[0] == 0 ? 1 : 0;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOfRange(number, sign, number.length));
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("nothing happened for 30 seconds");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}

package dev.tidemark.http.access;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestTokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The same feeds, whose key is fetched from an identity provider that is away until it is told to come back, and then takes
 * its time until it is told to go on.
 */
public class JwksProfile extends RestrictedFeedsProfile {

    /** Under this name tests find the identity provider. */
    static final String PROVIDER = "test.provider";

    private final CountDownLatch told = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final AtomicBoolean away = new AtomicBoolean(true);
    private HttpServer provider;

    @Override
    protected Map<String, String> keys() {
        KeyPair keys = TestTokens.newKeys();
        try {
            provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        provider.setExecutor(Executors.newCachedThreadPool());
        provider.createContext("/jwks", exchange -> {
            if (away.get()) {
                exchange.sendResponseHeaders(502, -1);
                exchange.close();
                return;
            }
            asked.countDown();
            await(told);
            answer(exchange, jwks((RSAPublicKey) keys.getPublic()));
        });
        provider.createContext("/asked", exchange -> {
            await(asked);
            answer(exchange, "{}");
        });
        provider.createContext("/come-back", exchange -> {
            away.set(false);
            answer(exchange, "{}");
        });
        provider.createContext("/go-on", exchange -> {
            told.countDown();
            answer(exchange, "{}");
        });
        provider.start();
        String url = "http://localhost:" + provider.getAddress().getPort();
        return Map.of(
                "mp.jwt.verify.publickey.location",
                url + "/jwks",
                PROVIDER,
                url,
                TestTokens.PRIVATE_KEY,
                TestTokens.base64(keys.getPrivate().getEncoded()));
    }

    @Override
    public Map<String, String> getConfigOverrides() {
        Map<String, String> config = new HashMap<>(super.getConfigOverrides());
        // Whatever blocks one, blocks all.
        config.put("quarkus.vertx.event-loops-pool-size", "1");
        return config;
    }

    private static String jwks(RSAPublicKey key) {
        return "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"main\",\"n\":\""
                + unsigned(key.getModulus().toByteArray()) + "\",\"e\":\""
                + unsigned(key.getPublicExponent().toByteArray()) + "\"}]}";
    }

    private static String unsigned(byte[] number) {
        int sign = number[0] == 0 ? 1 : 0;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOfRange(number, sign, number.length));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void stop() {
        told.countDown();
        asked.countDown();
        if (provider != null) {
            provider.stop(0);
        }
    }
}

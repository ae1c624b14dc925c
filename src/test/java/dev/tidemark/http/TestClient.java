package dev.tidemark.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * An HTTP client of the server under test. It does not add {@code Accept} and {@code Accept-Encoding} to requests, does
 * not decompress responses, and follows no redirects.
 */
public final class TestClient {

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    private TestClient() {}

    /** The port of the server under test. */
    public static int port() {
        return ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
    }

    /** @param target a path with its query, such as {@code /api/letters?limit=1} */
    public static URI url(String target) {
        return URI.create("http://localhost:" + port() + target);
    }

    /** @param headers alternating names and values */
    public static HttpResponse<byte[]> get(String target, String... headers) {
        return send("GET", target, headers);
    }

    public static HttpResponse<byte[]> head(String target, String... headers) {
        return send("HEAD", target, headers);
    }

    public static HttpResponse<byte[]> send(String method, String target, String... headers) {
        return send(method, target, BodyPublishers.noBody(), headers);
    }

    public static HttpResponse<byte[]> sendJson(String method, String target, String content) {
        return send(method, target, BodyPublishers.ofString(content), "Content-Type", "application/json");
    }

    public static HttpResponse<byte[]> send(String method, String target, BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url(target)).method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The JSON of a response with any status. */
    public static JsonDocument json(String target, String... headers) {
        return JsonDocument.of(get(target, headers));
    }

    /** The JSON of a page, which must have status 200. */
    public static JsonDocument page(String target) {
        HttpResponse<byte[]> page = get(target);
        if (page.statusCode() != 200) {
            throw new AssertionError(target + ": " + page.statusCode() + ' ' + text(page));
        }
        return JsonDocument.of(page);
    }

    public static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    /** @return null if there is no such header */
    public static String header(HttpResponse<?> response, String name) {
        List<String> values = response.headers().allValues(name);
        return switch (values.size()) {
            case 0 -> null;
            case 1 -> values.get(0);
            default -> throw new AssertionError(name + " occurs more than once: " + values);
        };
    }

    /** All headers except Server-Timing, which differs from one read to the next. */
    public static Map<String, List<String>> stableHeaders(HttpResponse<?> response) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(response.headers().map());
        headers.remove("Server-Timing");
        return headers;
    }
}

package dev.tidemark.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.config.ConfigProvider;

/** A client that adds no header of its own to a request, and takes nothing away from an answer. */
public final class TestClient {

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    private TestClient() {}

    /** @param headers names and values by turns */
    public static HttpResponse<byte[]> get(String target, String... headers) {
        return send("GET", target, headers);
    }

    public static HttpResponse<byte[]> head(String target, String... headers) {
        return send("HEAD", target, headers);
    }

    public static HttpResponse<byte[]> send(String method, String target, String... headers) {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + target))
                .method(method, BodyPublishers.noBody());
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

    public static String header(HttpResponse<?> answer, String name) {
        List<String> values = answer.headers().allValues(name);
        return switch (values.size()) {
            case 0 -> null;
            case 1 -> values.get(0);
            default -> throw new AssertionError(name + " came more than once: " + values);
        };
    }

    /** All headers but how long the database took, which differs from one read to the next. */
    public static Map<String, List<String>> lastingHeaders(HttpResponse<?> answer) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(answer.headers().map());
        headers.remove("Server-Timing");
        return headers;
    }
}

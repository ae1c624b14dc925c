package dev.tidemark.gatling;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;

/** Requests data that a simulation needs before it starts. These requests are not measured. */
final class Server {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final HttpClient client = HttpClient.newHttpClient();

    PageResponse page(String query) {
        return find(query).orElseThrow(() -> new IllegalStateException("there is no page for " + query));
    }

    /** Returns empty if the list does not contain the item to jump to. */
    Optional<PageResponse> find(String query) {
        HttpResponse<String> response = get("/api/" + Settings.FEED + '?' + query);
        return switch (response.statusCode()) {
            case OK -> Optional.of(PageResponse.parse(response.body()));
            case NOT_FOUND -> Optional.empty();
            default -> throw new IllegalStateException(query + " failed: " + response.body());
        };
    }

    /** Returns the key of the item at a one-based place; empty if the universal protocol does not serve this offset. */
    Optional<String> idAt(int place) {
        HttpResponse<String> response = get("/v3/" + Settings.FEED + "?limit=1&after=" + (place - 1));
        return response.statusCode() == OK
                ? PageResponse.json(response.body()).at("/result/rows").findValuesAsText("id").stream()
                        .findFirst()
                : Optional.empty();
    }

    private HttpResponse<String> get(String path) {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create(Settings.BASE_URL + path)).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException("no response from " + Settings.BASE_URL, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

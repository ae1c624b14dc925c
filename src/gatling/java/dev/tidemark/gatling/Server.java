package dev.tidemark.gatling;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.util.Optional;

/** The server, asked before a run for what the run needs; none of it is measured. */
final class Server {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final HttpClient client = HttpClient.newHttpClient();

    PageResponse page(String query) {
        return find(query).orElseThrow(() -> new IllegalStateException("there is no page of " + query));
    }

    /** Nothing where the item to jump to is not in the list. */
    Optional<PageResponse> find(String query) {
        HttpResponse<String> answer = get("/api/" + Settings.FEED + '?' + query);
        return switch (answer.statusCode()) {
            case OK -> Optional.of(PageResponse.parse(answer.body()));
            case NOT_FOUND -> Optional.empty();
            default -> throw new IllegalStateException(query + " is answered with " + answer.body());
        };
    }

    /** The key of the item at a place counted from 1, by the universal protocol, if it serves pages by offset there. */
    Optional<String> idAt(int place) {
        HttpResponse<String> answer = get("/v3/" + Settings.FEED + "?limit=1&after=" + (place - 1));
        return answer.statusCode() == OK
                ? PageResponse.json(answer.body()).at("/result/rows").findValuesAsText("id").stream()
                        .findFirst()
                : Optional.empty();
    }

    private HttpResponse<String> get(String path) {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create(Settings.BASE_URL + path)).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException("no answer from " + Settings.BASE_URL, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

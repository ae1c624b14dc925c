package dev.tidemark.http.universal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * A client that needs only the description of the universal protocol. It passes tokens on, evaluates {@code next} and
 * {@code previous}, and knows nothing about strategies.
 */
public final class UniversalClient {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String listUrl;
    private final int limit;

    /** @param listUrl the feed's URL, with filters and order and a question mark or ampersand at the end */
    public UniversalClient(String listUrl, int limit) {
        this.listUrl = listUrl;
        this.limit = limit;
    }

    /** A page. A token that is null in the JSON is empty here. */
    public record Page(
            List<JsonNode> rows,
            Optional<String> top,
            Optional<String> last,
            Optional<String> previous,
            Optional<String> next,
            Optional<Long> count) {

        public List<String> values(String field) {
            return rows.stream().map(row -> row.get(field).asText()).toList();
        }
    }

    public Page first() {
        return read("");
    }

    public Page after(String token) {
        return read("&after=" + token);
    }

    public Page before(String token) {
        return read("&before=" + token);
    }

    /** Returns this page and all pages after it. */
    public List<Page> pagesFrom(Page from) {
        List<Page> pages = new ArrayList<>(List.of(from));
        for (Optional<String> next = from.next();
                next.isPresent();
                next = pages.get(pages.size() - 1).next()) {
            pages.add(after(next.get()));
            check(pages.size() < 1_000, "a walk ends");
        }
        return pages;
    }

    /** Returns all pages up to and including this one, in the order of the list. */
    public List<Page> pagesUpTo(Page last) {
        List<Page> pages = new ArrayList<>(List.of(last));
        for (Optional<String> previous = last.previous();
                previous.isPresent();
                previous = pages.get(0).previous()) {
            pages.add(0, before(previous.get()));
            check(pages.size() < 1_000, "a walk ends");
        }
        return pages;
    }

    public static List<JsonNode> rows(List<Page> pages) {
        return pages.stream().flatMap(page -> page.rows().stream()).toList();
    }

    private Page read(String place) {
        HttpResponse<byte[]> answer = send(listUrl + "limit=" + limit + place);
        try {
            JsonNode body = JSON.readTree(answer.body());
            check(answer.statusCode() == 200 && body.get("code").asInt() == 0, new String(answer.body()));
            JsonNode paging = body.at("/result/paging");
            Page page = new Page(
                    StreamSupport.stream(body.at("/result/rows").spliterator(), false)
                            .toList(),
                    text(paging.at("/cursors/top")),
                    text(paging.at("/cursors/last")),
                    text(paging.get("previous")),
                    text(paging.get("next")),
                    Optional.ofNullable(paging.get("count")).map(JsonNode::asLong));
            check(page.rows().size() <= limit, "a page has at most as many rows as requested");
            check(page.rows().isEmpty() == page.top().isEmpty(), "top is present if and only if there are rows");
            check(page.rows().isEmpty() == page.last().isEmpty(), "last is present if and only if there are rows");
            check(page.rows().size() != 1 || page.top().equals(page.last()), "a single row is both top and last");
            return page;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<String> text(JsonNode member) {
        check(member.isNull() || member.isTextual(), "a token is a string or null");
        return member.isNull() ? Optional.empty() : Optional.of(member.asText());
    }

    private static HttpResponse<byte[]> send(String url) {
        try {
            return HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new AssertionError("violated rule: " + rule);
        }
    }
}

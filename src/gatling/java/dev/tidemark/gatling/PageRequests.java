package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.function.BiConsumer;

/** Requests for pages. Those that check a page store it in the session as {@value #PAGE}. */
final class PageRequests {

    static final String PAGE = "page";

    /** An additional check of a page. Throws an exception if the check fails. */
    interface Expectation extends BiConsumer<PageResponse, Session> {}

    private static final String FEED = "/api/" + Settings.FEED + "?limit=" + Settings.LIMIT;

    private PageRequests() {}

    static HttpRequestActionBuilder first(String name, Expectation expected) {
        return http(name).get(FEED).check(status().is(200), checkPage(expected));
    }

    /** @param query further parameters, in Gatling's expression language */
    static HttpRequestActionBuilder withQuery(String name, String query, Expectation expected) {
        return http(name).get(FEED + '&' + query).check(status().is(200), checkPage(expected));
    }

    /** @param query further parameters, each preceded by {@code &}; the cursor comes from the page in the session */
    static HttpRequestActionBuilder next(String name, String query, Expectation expected) {
        return http(name)
                .get(session -> FEED + query + "&cursor=" + page(session).next())
                .check(status().is(200), checkPage(expected));
    }

    /** Requests the first page without checks, because the response can be a 304. */
    static HttpRequestActionBuilder poll(String name) {
        return http(name).get(FEED);
    }

    static PageResponse page(Session session) {
        return session.get(PAGE);
    }

    static boolean hasNext(Session session) {
        return session.contains(PAGE) && page(session).next() != null;
    }

    static CheckBuilder checkPage(Expectation expected) {
        return bodyString()
                .transform(PageResponse::parse)
                .validate("a page", (page, session) -> {
                    expected.accept(page, session);
                    return page;
                })
                .saveAs(PAGE);
    }

    static Expectation firstPage() {
        return (page, session) -> {
            PageResponse.require(page.items().size() == Settings.LIMIT, "the first page is not full");
            PageResponse.require(page.previous() == null, "the first page has a prev_cursor");
        };
    }

    static Expectation laterPage() {
        return (page, session) -> {
            PageResponse.require(!page.items().isEmpty(), "the page after a next_cursor is empty");
            PageResponse.require(page.previous() != null, "a page after the first one has no prev_cursor");
        };
    }
}

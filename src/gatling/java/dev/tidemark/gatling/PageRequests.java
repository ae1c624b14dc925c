package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.function.BiConsumer;

/** Requests for pages. Each keeps its answer in the session, as {@value #ANSWER}. */
final class PageRequests {

    static final String ANSWER = "page";

    /** Further requirements of an answer, which throw when they are not met. */
    interface Expectation extends BiConsumer<PageResponse, Session> {}

    private static final String FEED = "/api/" + Settings.FEED + "?limit=" + Settings.LIMIT;

    private PageRequests() {}

    static HttpRequestActionBuilder first(String name, Expectation expected) {
        return http(name).get(FEED).check(status().is(200), page(expected));
    }

    /** @param query what follows {@code limit}, in Gatling's expression language */
    static HttpRequestActionBuilder of(String name, String query, Expectation expected) {
        return http(name).get(FEED + '&' + query).check(status().is(200), page(expected));
    }

    /** @param query what the list is asked for, besides the cursor that the answer in the session gave */
    static HttpRequestActionBuilder next(String name, String query, Expectation expected) {
        return http(name)
                .get(session -> FEED + query + "&cursor=" + answer(session).next())
                .check(status().is(200), page(expected));
    }

    /** The first page, with nothing required of it: the answer may be that it has not changed. */
    static HttpRequestActionBuilder poll(String name) {
        return http(name).get(FEED);
    }

    static PageResponse answer(Session session) {
        return session.get(ANSWER);
    }

    static boolean hasNext(Session session) {
        return session.contains(ANSWER) && answer(session).next() != null;
    }

    static CheckBuilder page(Expectation expected) {
        return bodyString()
                .transform(PageResponse::parse)
                .validate("a page", (page, session) -> {
                    expected.accept(page, session);
                    return page;
                })
                .saveAs(ANSWER);
    }

    static Expectation atStart() {
        return (page, session) -> {
            PageResponse.require(page.items().size() == Settings.LIMIT, "the first page is not full");
            PageResponse.require(page.previous() == null, "something stands before the first page");
        };
    }

    static Expectation within() {
        return (page, session) -> {
            PageResponse.require(!page.items().isEmpty(), "an empty page behind a cursor that leads on");
            PageResponse.require(page.previous() != null, "nothing stands before a page that was scrolled to");
        };
    }
}

package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.function.BiConsumer;

/** Requests for pages. Each keeps its answer in the session, as {@value #ANSWER}. */
final class Pages {

    static final String ANSWER = "page";

    /** Further requirements of an answer, which throw when they are not met. */
    interface Expectation extends BiConsumer<PageAnswer, Session> {}

    private static final String FEED = "/api/" + Settings.FEED + "?limit=" + Settings.LIMIT;

    private Pages() {}

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

    static PageAnswer answer(Session session) {
        return session.get(ANSWER);
    }

    static boolean hasNext(Session session) {
        return session.contains(ANSWER) && answer(session).next() != null;
    }

    static CheckBuilder page(Expectation expected) {
        return bodyString()
                .transform(PageAnswer::parse)
                .validate("a page", (page, session) -> {
                    expected.accept(page, session);
                    return page;
                })
                .saveAs(ANSWER);
    }

    static Expectation atStart() {
        return (page, session) -> {
            PageAnswer.holds(page.items().size() == Settings.LIMIT, "the first page is not full");
            PageAnswer.holds(page.previous() == null, "something stands before the first page");
        };
    }

    static Expectation within() {
        return (page, session) -> {
            PageAnswer.holds(!page.items().isEmpty(), "an empty page behind a cursor that leads on");
            PageAnswer.holds(page.previous() != null, "nothing stands before a page that was scrolled to");
        };
    }
}

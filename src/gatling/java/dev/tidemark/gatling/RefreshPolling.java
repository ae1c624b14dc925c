package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.bodyLength;
import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;

/** Apps poll the first page at an interval, and get a 304 if it has not changed. */
public class RefreshPolling extends Simulation {

    private static final int NOT_MODIFIED = 304;

    {
        setUp(scenario("refresh polling")
                        .exec(openList())
                        .during(Settings.DURATION)
                        .on(poll())
                        .injectClosed(
                                constantConcurrentUsers(Settings.users(1_000)).during(1)))
                .protocols(Settings.protocol())
                .assertions(global().failedRequests().count().is(0L));
    }

    /** Reads the first page after a random pause, so that the polls of the users are spread over the interval. */
    static ChainBuilder openList() {
        return pause(Settings.THINK_TIME.dividedBy(1_000), Settings.THINK_TIME)
                .exec(PageRequests.first("first page", PageRequests.firstPage())
                        .check(header("ETag").saveAs("tag")));
    }

    static ChainBuilder poll() {
        return pause(Settings.THINK_TIME)
                .exec(session -> session.set("previousTag", session.getString("tag")))
                .exec(PageRequests.poll("poll")
                        .header("If-None-Match", "#{tag}")
                        .check(
                                status().in(200, NOT_MODIFIED).saveAs("status"),
                                header("ETag").saveAs("tag"))
                        .checkIf(RefreshPolling::isUnchanged)
                        .then(
                                header("ETag").isEL("#{previousTag}"),
                                bodyLength().is(0))
                        .checkIf(session -> !isUnchanged(session))
                        .then(
                                header("ETag").not(session -> session.getString("previousTag")),
                                PageRequests.checkPage(PageRequests.firstPage())));
    }

    private static boolean isUnchanged(Session session) {
        return session.getInt("status") == NOT_MODIFIED;
    }
}

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

/** Open apps poll their first page at an interval, and get 304 if it has not changed. */
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

    /** Spreads the users over one interval, and thereby their polls. */
    static ChainBuilder openList() {
        return pause(Settings.THINK.dividedBy(1_000), Settings.THINK)
                .exec(PageRequests.first("first page", PageRequests.atStart())
                        .check(header("ETag").saveAs("tag")));
    }

    static ChainBuilder poll() {
        return pause(Settings.THINK)
                .exec(session -> session.set("old", session.getString("tag")))
                .exec(PageRequests.poll("poll")
                        .header("If-None-Match", "#{tag}")
                        .check(
                                status().in(200, NOT_MODIFIED).saveAs("status"),
                                header("ETag").saveAs("tag"))
                        .checkIf(RefreshPolling::isUnchanged)
                        .then(header("ETag").isEL("#{old}"), bodyLength().is(0))
                        .checkIf(session -> !isUnchanged(session))
                        .then(
                                header("ETag").not(session -> session.getString("old")),
                                PageRequests.page(PageRequests.atStart())));
    }

    private static boolean isUnchanged(Session session) {
        return session.getInt("status") == NOT_MODIFIED;
    }
}

package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.util.HashSet;
import java.util.Set;

/** Users open the list and scroll through its pages, with pauses. No item may occur twice in a session. */
public class ScrollSessions extends Simulation {

    private static final int PAGES = Integer.getInteger("pages", 20);

    {
        setUp(scenario("scroll sessions")
                        .exec(scrollSession(PAGES))
                        .injectClosed(
                                constantConcurrentUsers(Settings.users(500)).during(Settings.DURATION)))
                .protocols(Settings.protocol())
                .assertions(global().failedRequests().count().is(0L));
    }

    static ChainBuilder scrollSession(int pages) {
        return exec(session -> session.set("seen", new HashSet<String>()))
                .exec(PageRequests.first("first page", (page, session) -> {
                    PageRequests.firstPage().accept(page, session);
                    requireUnseen(page, session);
                }))
                .exec(repeat(pages - 1)
                        .on(doIf(PageRequests::hasNext)
                                .then(pause(
                                                Settings.THINK_TIME.dividedBy(2),
                                                Settings.THINK_TIME
                                                        .multipliedBy(3)
                                                        .dividedBy(2))
                                        .exec(PageRequests.next("next page", "", (page, session) -> {
                                            PageRequests.laterPage().accept(page, session);
                                            requireUnseen(page, session);
                                        })))));
    }

    private static void requireUnseen(PageResponse page, Session session) {
        Set<String> seen = session.get("seen");
        for (String id : page.ids()) {
            PageResponse.require(seen.add(id), "an item occurs twice in one scroll");
        }
    }
}

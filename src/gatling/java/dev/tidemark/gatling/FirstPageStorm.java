package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;

/** All users read the first page of one list repeatedly, as after a push notification. */
public class FirstPageStorm extends Simulation {

    {
        setUp(scenario("storm on the first page")
                        .during(Settings.DURATION)
                        .on(PageRequests.first("first page", PageRequests.firstPage()))
                        .injectClosed(
                                constantConcurrentUsers(Settings.users(64)).during(1)))
                .protocols(Settings.protocol())
                .assertions(global().failedRequests().count().is(0L));
    }
}

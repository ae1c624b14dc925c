package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;

/**
 * A typical workload: 70 % of the users scroll, 20 % poll and 10 % read deep pages, while other processes insert, edit and
 * delete messages. All checks of the other simulations apply.
 */
public class MixWithWrites extends Simulation {

    private final int users = Settings.users(500);
    private final InboxWriter writer = new InboxWriter(Integer.getInteger("writes", 50));
    private CursorPool cursors;

    {
        setUp(
                        scenario("scroll sessions")
                                .exec(ScrollSessions.session(20))
                                .injectClosed(
                                        constantConcurrentUsers(share(0.7)).during(Settings.DURATION)),
                        scenario("refresh polling")
                                .exec(RefreshPolling.openList())
                                .during(Settings.DURATION)
                                .on(RefreshPolling.poll())
                                .injectClosed(
                                        constantConcurrentUsers(share(0.2)).during(1)),
                        scenario("deep random pages")
                                .during(Settings.DURATION)
                                .on(DeepPages.deepPage(() -> cursors.any()).pause(Settings.THINK))
                                .injectClosed(
                                        constantConcurrentUsers(share(0.1)).during(1)))
                .protocols(Settings.protocol())
                .maxDuration(Settings.DURATION.plus(Settings.THINK.multipliedBy(2)))
                .assertions(global().failedRequests().count().is(0L));
    }

    @Override
    public void before() {
        cursors = CursorPool.random(500);
        writer.start();
    }

    @Override
    public void after() {
        System.out.println(writer.stop());
    }

    private int share(double part) {
        return (int) Math.max(1, Math.round(users * part));
    }
}

package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;

/**
 * An ordinary day: seven of ten users scroll, two poll, one reads far down, while others write, edit and delete. What holds
 * of a scroll holds all the same.
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

package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;

/**
 * A typical workload: 70 % of the users scroll, 20 % poll, and 10 % read deep pages, while messages are inserted,
 * edited, and deleted. The checks of {@link ScrollSessions}, {@link RefreshPolling}, and {@link DeepPages} apply.
 */
public class MixWithWrites extends Simulation {

    private final int users = Settings.users(500);
    private final InboxWriter writer = new InboxWriter(Integer.getInteger("writes", 50));
    private CursorPool cursors;

    {
        setUp(
                        scenario("scroll sessions")
                                .exec(ScrollSessions.scrollSession(20))
                                .injectClosed(
                                        constantConcurrentUsers(usersFor(0.7)).during(Settings.DURATION)),
                        scenario("refresh polling")
                                .exec(RefreshPolling.openList())
                                .during(Settings.DURATION)
                                .on(RefreshPolling.poll())
                                .injectClosed(
                                        constantConcurrentUsers(usersFor(0.2)).during(1)),
                        scenario("deep random pages")
                                .during(Settings.DURATION)
                                .on(DeepPages.deepPage(() -> cursors.randomCursor())
                                        .pause(Settings.THINK_TIME))
                                .injectClosed(
                                        constantConcurrentUsers(usersFor(0.1)).during(1)))
                .protocols(Settings.protocol())
                .maxDuration(Settings.DURATION.plus(Settings.THINK_TIME.multipliedBy(2)))
                .assertions(global().failedRequests().count().is(0L));
    }

    @Override
    public void before() {
        cursors = CursorPool.atRandomDepths(500);
        writer.start();
    }

    @Override
    public void after() {
        System.out.println(writer.stop());
    }

    private int usersFor(double share) {
        return (int) Math.max(1, Math.round(users * share));
    }
}

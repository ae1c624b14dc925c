package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import dev.tidemark.gatling.CursorPool.DeepCursor;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import java.util.function.Supplier;

/** Each user reads one page after another, each at a random depth of the list. */
public class DeepPages extends Simulation {

    private CursorPool cursors;

    {
        setUp(scenario("deep random pages")
                        .during(Settings.DURATION)
                        .on(deepPage(() -> cursors.any()))
                        .injectClosed(
                                constantConcurrentUsers(Settings.users(64)).during(1)))
                .protocols(Settings.protocol())
                .assertions(global().failedRequests().count().is(0L));
    }

    @Override
    public void before() {
        cursors = CursorPool.random(Integer.getInteger("places", 2_000));
    }

    /** Reads the page after a random position. */
    static ChainBuilder deepPage(Supplier<DeepCursor> source) {
        return exec(session -> {
                    DeepCursor place = source.get();
                    return session.set("place", place).set("cursor", place.cursor());
                })
                .exec(PageRequests.of("deep page", "cursor=#{cursor}", (page, session) -> {
                    PageRequests.within().accept(page, session);
                    DeepCursor place = session.get("place");
                    PageResponse.require(
                            !page.createdAt(0).isAfter(place.createdAt()), "the page begins before its cursor");
                }));
    }
}

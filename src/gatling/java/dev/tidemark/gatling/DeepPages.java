package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import dev.tidemark.gatling.CursorPool.DeepCursor;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import java.util.function.Supplier;

/** Each user reads one page after another, at random depths of the list. */
public class DeepPages extends Simulation {

    private CursorPool cursors;

    {
        setUp(scenario("deep random pages")
                        .during(Settings.DURATION)
                        .on(deepPage(() -> cursors.randomCursor()))
                        .injectClosed(
                                constantConcurrentUsers(Settings.users(64)).during(1)))
                .protocols(Settings.protocol())
                .assertions(global().failedRequests().count().is(0L));
    }

    @Override
    public void before() {
        cursors = CursorPool.atRandomDepths(Integer.getInteger("places", 2_000));
    }

    /** Reads the page after a cursor from the source. */
    static ChainBuilder deepPage(Supplier<DeepCursor> source) {
        return exec(session -> {
                    DeepCursor deep = source.get();
                    return session.set("deep", deep).set("cursor", deep.cursor());
                })
                .exec(PageRequests.withQuery("deep page", "cursor=#{cursor}", (page, session) -> {
                    PageRequests.laterPage().accept(page, session);
                    DeepCursor deep = session.get("deep");
                    PageResponse.require(
                            !page.itemCreatedAt(0).isAfter(deep.itemCreatedAt()), "the page begins before its cursor");
                }));
    }
}

package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import dev.tidemark.gatling.Places.Place;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import java.util.function.Supplier;

/** Users who each read page after page, every one at another depth of the list. */
public class DeepPages extends Simulation {

    private Places places;

    {
        setUp(scenario("deep random pages")
                        .during(Settings.DURATION)
                        .on(deepPage(() -> places.any()))
                        .injectClosed(
                                constantConcurrentUsers(Settings.users(64)).during(1)))
                .protocols(Settings.protocol())
                .assertions(global().failedRequests().count().is(0L));
    }

    @Override
    public void before() {
        places = Places.random(Integer.getInteger("places", 2_000));
    }

    /** One page behind a place that is drawn anew each time. */
    static ChainBuilder deepPage(Supplier<Place> somewhere) {
        return exec(session -> {
                    Place place = somewhere.get();
                    return session.set("place", place).set("cursor", place.cursor());
                })
                .exec(Pages.of("deep page", "cursor=#{cursor}", (page, session) -> {
                    Pages.within().accept(page, session);
                    Place place = session.get("place");
                    PageAnswer.holds(
                            !page.createdAt(0).isAfter(place.createdAt()), "a page that begins before its cursor");
                }));
    }
}

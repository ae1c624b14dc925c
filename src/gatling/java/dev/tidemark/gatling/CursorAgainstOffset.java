package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.during;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The same pages by cursor and by offset, at growing depths: few users, so that the report shows what a page costs and not
 * what waits for it. Offsets are those of the universal protocol, where a number goes on as an offset in any feed.
 */
public class CursorAgainstOffset extends Simulation {

    private static final List<Integer> DEPTHS = Arrays.stream(
                    System.getProperty("depths", "30,1000,10000,100000,900000").split(","))
            .map(Integer::valueOf)
            .toList();

    /** By depth; those that the server does not serve by offset, or that the list does not reach, are not here. */
    private final Map<Integer, String> cursors = new HashMap<>();

    {
        setUp(scenario("cursor against offset")
                        .exec(DEPTHS.stream().map(this::bothWays).toList())
                        .injectClosed(constantConcurrentUsers(Settings.users(1)).during(1)))
                .protocols(Settings.protocol())
                .assertions(global().failedRequests().count().is(0L));
    }

    /** Behind the item that the offset's page would come after. */
    @Override
    public void before() {
        Server server = new Server();
        for (int depth : DEPTHS) {
            server.idAt(depth)
                    .map(id -> server.page("limit=1&fields=id,created_at&from_id=" + id)
                            .next())
                    .ifPresentOrElse(
                            cursor -> cursors.put(depth, cursor),
                            () -> System.out.println("Depth " + depth + " is left out: no page there by offset."));
        }
    }

    private ChainBuilder bothWays(int depth) {
        return doIf(session -> cursors.containsKey(depth))
                .then(during(Settings.DURATION.dividedBy(DEPTHS.size()))
                        .on(exec(session -> session.set("cursor", cursors.get(depth)))
                                .exec(PageRequests.of("cursor, " + depth + " deep", "cursor=#{cursor}", PageRequests.within()))
                                .exec(session ->
                                        session.set("ids", PageRequests.answer(session).ids()))
                                .exec(http("offset, " + depth + " deep")
                                        .get("/v3/" + Settings.FEED + "?limit=" + Settings.LIMIT + "&after=" + depth)
                                        .check(
                                                status().is(200),
                                                jsonPath("$.result.rows[*].id")
                                                        .findAll()
                                                        .is(session -> session.getList("ids"))))));
    }
}

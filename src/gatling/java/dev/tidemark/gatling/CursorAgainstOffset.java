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

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.client.FeedList;
import dev.tidemark.client.PageStart;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the same pages by cursor and by offset, at increasing depths. By default, there is a single user, so that the
 * report shows the cost of a page without queueing. Pages at offsets are read over the universal protocol, which
 * accepts offsets for every feed.
 */
public class CursorAgainstOffset extends Simulation {

    private static final List<Integer> DEPTHS = Arrays.stream(
                    System.getProperty("depths", "30,1000,10000,100000,900000").split(","))
            .map(Integer::valueOf)
            .toList();

    /**
     * Cursors by depth. There is none for a depth beyond the end of the list or beyond the server's maximum offset.
     */
    private final Map<Integer, String> cursors = new HashMap<>();

    {
        setUp(scenario("cursor against offset")
                        .exec(DEPTHS.stream().map(this::readByCursorAndOffset).toList())
                        .injectClosed(constantConcurrentUsers(Settings.users(1)).during(1)))
                .protocols(Settings.protocol())
                .assertions(global().failedRequests().count().is(0L));
    }

    /** Finds cursors for the same positions as the offsets. */
    @Override
    public void before() {
        FeedList<JsonNode> list = SetupRequests.defaultList().fields("id", "created_at");
        for (int depth : DEPTHS) {
            SetupRequests.idAtPosition(depth)
                    .flatMap(id -> list.page(PageStart.fromId(id)).next())
                    .ifPresentOrElse(
                            cursor -> cursors.put(depth, cursor),
                            () -> System.out.println(
                                    "Depth " + depth + " is skipped: it is beyond the list or the maximum offset."));
        }
    }

    private ChainBuilder readByCursorAndOffset(int depth) {
        return doIf(session -> cursors.containsKey(depth))
                .then(during(Settings.DURATION.dividedBy(DEPTHS.size()))
                        .on(exec(session -> session.set("cursor", cursors.get(depth)))
                                .exec(PageRequests.withQuery(
                                        "cursor, " + depth + " deep", "cursor=#{cursor}", PageRequests.laterPage()))
                                .exec(session -> session.set(
                                        "ids", PageRequests.page(session).ids()))
                                .exec(http("offset, " + depth + " deep")
                                        .get("/v3/" + Settings.FEED + "?limit=" + Settings.LIMIT + "&after=" + depth)
                                        .check(
                                                status().is(200),
                                                jsonPath("$.result.rows[*].id")
                                                        .findAll()
                                                        .is(session -> session.getList("ids"))))));
    }
}

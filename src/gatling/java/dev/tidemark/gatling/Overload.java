package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.responseTimeInMillis;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

/**
 * More than the server can do: searches for what is nowhere in the inbox, each through the whole list, come at their rate
 * however long those before them take. Each is answered, comes to the statement timeout, or is refused at once with a time
 * to come again. What they took is printed at the end.
 */
public class Overload extends Simulation {

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final int TIMEOUT = 504;

    private static final int PER_SECOND = Integer.getInteger("rate", 50);

    /** Milliseconds that answers took, by their status. */
    private final Map<Integer, ConcurrentLinkedQueue<Integer>> taken = new ConcurrentHashMap<>();

    {
        setUp(scenario("searches")
                        .exec(search())
                        .injectOpen(constantUsersPerSec(PER_SECOND).during(Settings.DURATION)))
                .protocols(Settings.protocol())
                .assertions(global().failedRequests().count().is(0L));
    }

    private ChainBuilder search() {
        String list = "/api/" + Settings.FEED + "?limit=" + Settings.LIMIT;
        return exec(session -> session.set(
                        "text", Long.toString(ThreadLocalRandom.current().nextLong(), 36)))
                .exec(http("search")
                        .get(list + "&subject.contains=#{text}")
                        .check(status().in(OK, UNAVAILABLE, TIMEOUT).saveAs("status"))
                        .check(responseTimeInMillis().saveAs("millis"))
                        .checkIf((response, session) -> response.status().code() == UNAVAILABLE)
                        .then(header("Retry-After").exists(), jsonPath("$.code").is("overloaded")))
                .exec(this::remember);
    }

    private Session remember(Session session) {
        if (session.contains("status")) {
            taken.computeIfAbsent(session.getInt("status"), status -> new ConcurrentLinkedQueue<>())
                    .add(session.getInt("millis"));
        }
        return session;
    }

    @Override
    public void after() {
        new TreeMap<>(taken).forEach((status, millis) -> {
            int[] sorted = millis.stream().mapToInt(Integer::intValue).sorted().toArray();
            System.out.printf(
                    "%d: %.1f a second, in the middle %d ms, 99 of 100 within %d ms%n",
                    status,
                    sorted.length / (double) Settings.DURATION.toSeconds(),
                    sorted[sorted.length / 2],
                    sorted[sorted.length * 99 / 100]);
        });
    }
}

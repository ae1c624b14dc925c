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
 * Overloads the server with searches that find nothing and therefore scan the whole list. They arrive at a fixed rate,
 * regardless of response times. Each search must succeed, reach the statement timeout, or be rejected with a
 * {@code Retry-After} header. Response times by status are printed at the end.
 */
public class Overload extends Simulation {

    private static final int OK = 200;
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final int GATEWAY_TIMEOUT = 504;

    private static final int PER_SECOND = Integer.getInteger("rate", 50);

    /** Response times in milliseconds, by status. */
    private final Map<Integer, ConcurrentLinkedQueue<Integer>> responseTimes = new ConcurrentHashMap<>();

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
                        .check(status().in(OK, SERVICE_UNAVAILABLE, GATEWAY_TIMEOUT)
                                .saveAs("status"))
                        .check(responseTimeInMillis().saveAs("millis"))
                        .checkIf((response, session) -> response.status().code() == SERVICE_UNAVAILABLE)
                        .then(header("Retry-After").exists(), jsonPath("$.code").is("overloaded")))
                .exec(this::recordTime);
    }

    private Session recordTime(Session session) {
        if (session.contains("status")) {
            responseTimes
                    .computeIfAbsent(session.getInt("status"), status -> new ConcurrentLinkedQueue<>())
                    .add(session.getInt("millis"));
        }
        return session;
    }

    @Override
    public void after() {
        new TreeMap<>(responseTimes).forEach((status, millis) -> {
            int[] sorted = millis.stream().mapToInt(Integer::intValue).sorted().toArray();
            System.out.printf(
                    "%d: %.1f per second, p50 %d ms, p99 %d ms%n",
                    status,
                    sorted.length / (double) Settings.DURATION.toSeconds(),
                    sorted[sorted.length / 2],
                    sorted[sorted.length * 99 / 100]);
        });
    }
}

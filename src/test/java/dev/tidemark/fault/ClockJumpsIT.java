package dev.tidemark.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.Slow;
import dev.tidemark.http.events.EventClient;
import io.smallrye.jwt.build.Jwt;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The server's wall clock is set forward by days and back. The clocks of PostgreSQL and of the clients stay correct.
 */
@Tag("chaos")
@Timeout(600)
@Slow
@Isolated
class ClockJumpsIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration ONE_HOUR_BACK = Duration.ofHours(-1);
    private static final List<Duration> JUMPS = List.of(DAY, ONE_HOUR_BACK, DAY.multipliedBy(2), Duration.ZERO);

    /** The lifetime of cursors. It is longer than the {@link #JUMPS}, because the scrolls must survive them. */
    private static final Duration CURSOR_LIFETIME = Duration.ofDays(3);

    @TempDir
    static Path directory;

    private static KeyPair keys;
    private static FakeClock clock;
    private static FaultSetup setup;
    private static DeployedServer server;

    @BeforeAll
    static void start() throws Exception {
        Optional<Path> library = FakeClock.library();
        assumeTrue(
                library.isPresent(),
                "clock jumps need libfaketime, which Debian, Ubuntu and Fedora have as a package: apt-get install libfaketime");
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        keys = generator.generateKeyPair();
        clock = new FakeClock(library.orElseThrow(), directory);
        Map<String, String> settings = new HashMap<>(clock.environment());
        settings.put("TIDEMARK_CURSOR_LIFETIME", CURSOR_LIFETIME.toString());
        settings.put("TIDEMARK_FRESH_HEARTBEAT", "1s");
        settings.put("TIDEMARK_STATEMENT_TIMEOUT", "10s");
        settings.put(
                "TIDEMARK_FEEDS", FaultSetup.FEEDS + "mine: {table: things, orders: {newest: at desc}, roles: agent}");
        settings.put(
                "MP_JWT_VERIFY_PUBLICKEY",
                Base64.getEncoder().encodeToString(keys.getPublic().getEncoded()));
        settings.put("MP_JWT_VERIFY_ISSUER", "https://issuer.example.org");
        settings.put("MP_JWT_VERIFY_AUDIENCES", "tidemark");
        setup = new FaultSetup(directory, settings, "-Xmx128m");
        server = setup.server;
    }

    @AfterEach
    void resetClock() throws Exception {
        clock.jumpTo(Duration.ZERO);
    }

    @AfterAll
    static void stop() throws Exception {
        if (setup != null) {
            setup.close();
        }
    }

    @Test
    void scrollsContinueWithoutLossOrRepetition() throws Exception {
        try (ScrollingClients scrolls = setup.startClients("things", 20)) {
            scrolls.awaitPages();
            for (Duration jump : JUMPS) {
                clock.jumpTo(jump);
                scrolls.awaitPages();
                assertThat(server.getManagement("/q/health").statusCode()).isEqualTo(200);
            }
            System.out.println("FAULT clock set forward by days and back by an hour: " + scrolls.finish());
            assertThat(scrolls.failures()).isZero();
        }
    }

    @Test
    void theAgeOfACursorFollowsTheWallClock() throws Exception {
        String now = nextCursor();
        clock.jumpTo(DAY);
        String ofTomorrow = nextCursor();
        assertThat(page(now).statusCode()).isEqualTo(200);
        clock.jumpTo(CURSOR_LIFETIME.plus(DAY));
        assertThat(page(now).statusCode()).isEqualTo(410);
        assertThat(page(now).body()).contains("\"cursor_expired\"");
        clock.jumpTo(ONE_HOUR_BACK);
        assertThat(page(now).statusCode()).isEqualTo(200);
        assertThat(page(ofTomorrow).statusCode()).isEqualTo(200);
    }

    @Test
    void aTokenExpiresByTheWallClock() throws Exception {
        String token = token();
        assertThat(restrictedPage(token).statusCode()).isEqualTo(200);
        clock.jumpTo(DAY);
        assertThat(restrictedPage(token).statusCode()).isEqualTo(401);
        clock.jumpTo(ONE_HOUR_BACK);
        assertThat(restrictedPage(token).statusCode()).isEqualTo(200);
    }

    @Test
    void streamsReportNewItemsAndEndWithTheirTokens() throws Exception {
        String token = token();
        EventClient listener =
                EventClient.open(server.port(), "/api/things/fresh?cursor=" + top(server.get("/api/things")), "");
        EventClient restricted =
                EventClient.open(server.port(), "/api/mine/fresh?cursor=" + top(restrictedPage(token)), token);
        assertThat(listener.next()).isEqualTo("{\"count\":0,\"capped\":false}");
        restricted.next();
        clock.jumpTo(ONE_HOUR_BACK);
        restricted.awaitHeartbeat();
        setup.postgres.run("insert into things values (2000, '2026-02-01')");
        assertThat(listener.next()).isEqualTo("{\"count\":1,\"capped\":false}");
        clock.jumpTo(DAY);
        listener.awaitHeartbeat();
        setup.postgres.run("delete from things where id = 2000");
        assertThat(listener.next()).isEqualTo("{\"count\":0,\"capped\":false}");
        // A stream checks the wall clock at least once a minute, and so notices that its token has expired, which is
        // valid for an hour.
        restricted.awaitEnd(Duration.ofMinutes(5));
        listener.awaitHeartbeat();
    }

    @Test
    void failuresAreReportedAndRetriedAtTheUsualIntervals() throws Exception {
        for (Duration jump : JUMPS) {
            clock.jumpTo(jump);
            long rejectionsBefore = rejectionLogCount();
            assertThat(server.get("/api/things?limit=x").statusCode()).isEqualTo(400);
            Await.until("the failure is logged", () -> rejectionLogCount() > rejectionsBefore);
            try (ScrollingClients scrolls = setup.startClients("things", 10)) {
                scrolls.awaitPages();
                setup.proxy.cut();
                setup.postgres.run("alter table things rename column note to remark");
                scrolls.awaitFirstFailure();
                setup.postgres.run("alter table things rename column remark to note");
                long repairNanos = System.nanoTime();
                // This takes far less time than the smallest jump.
                scrolls.awaitPages();
                Duration ready = setup.measureTimeToReady();
                String seen = scrolls.finish();
                Duration failing = scrolls.timeToLastFailure(repairNanos);
                System.out.printf(
                        "FAULT clock at %s, connections cut, column renamed: last failure %d ms after the repair, ready after %d ms; %s%n",
                        jump, failing.toMillis(), ready.toMillis(), seen);
            }
        }
    }

    private static long rejectionLogCount() throws IOException {
        return server.log().stream()
                .filter(line -> line.contains("invalid_limit"))
                .count();
    }

    private static HttpResponse<String> page(String cursor) throws Exception {
        return server.get("/api/things?limit=5&cursor=" + cursor);
    }

    private static HttpResponse<String> restrictedPage(String token) throws Exception {
        return server.get("/api/mine?limit=5", "Authorization", token);
    }

    private static String nextCursor() throws Exception {
        return JSON.readTree(server.get("/api/things?limit=5").body())
                .get("next_cursor")
                .asText();
    }

    private static String top(HttpResponse<String> page) throws Exception {
        return JSON.readTree(page.body()).get("cursors").get("top").asText();
    }

    /** The value of {@code Authorization} with a token that is valid for an hour. */
    private static String token() {
        return "Bearer "
                + Jwt.issuer("https://issuer.example.org")
                        .audience("tidemark")
                        .subject("somebody")
                        .groups("agent")
                        .expiresIn(Duration.ofHours(1))
                        .sign(keys.getPrivate());
    }
}

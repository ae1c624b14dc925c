package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.local.FaultyProxy;
import dev.tidemark.local.FaultyProxy.Mode;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the Java client does when connections break or the server is unavailable. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@Timeout(60)
class RetryTest {

    private static final Retry QUICK_RETRY =
            new Retry(5, Duration.ofMillis(1), Duration.ofMillis(20), Duration.ofSeconds(5));

    /** The times at which the requests were sent, in nanoseconds. */
    private final List<Long> requestNanos = new CopyOnWriteArrayList<>();

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    private FaultyProxy proxy;
    private TidemarkClient client;

    @BeforeEach
    void startProxy() throws IOException {
        proxy = new FaultyProxy(TestServer.port());
        client = TidemarkClient.of(URI.create("http://localhost:" + proxy.port()))
                .onRequest(request -> requestNanos.add(System.nanoTime()))
                .retry(QUICK_RETRY);
    }

    @AfterEach
    void closeProxy() {
        try {
            proxy.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anIncompletePageIsReadAgain() {
        proxy.setMode(Mode.CUT);
        TidemarkClient repairing = client.onRequest(request -> {
            if (requestNanos.size() == 3) {
                proxy.setMode(Mode.PASS);
            }
        });
        assertThat(letters(repairing).limit(100).page().items()).hasSize(100);
        assertThat(requestNanos).hasSize(3);
    }

    @Test
    void aScrollSurvivesConnectionsThatBreakBetweenItsPages() {
        List<Long> seen = new ArrayList<>();
        letters(client).limit(10).pages().forEach(page -> {
            page.items().forEach(letter -> seen.add(letter.id()));
            proxy.cut();
        });
        assertThat(seen).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void aScrollSurvivesAConnectionThatFallsSilent() {
        Iterator<Page<Letter>> pages =
                letters(client.timeout(Duration.ofSeconds(1))).limit(50).pages().iterator();
        pages.next();
        proxy.silence();
        assertThat(pages.next().items()).hasSize(50);
        // On a busy machine, another attempt can take too long.
        assertThat(requestNanos).hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void anUnreachableServerFailsThePageAfterAllAttempts() {
        closeProxy();
        assertThatThrownBy(() -> letters(client).page())
                .isInstanceOf(FeedException.class)
                .hasMessage("localhost:" + proxy.port() + " did not respond: java.net.ConnectException")
                .hasRootCauseInstanceOf(IOException.class);
        assertThat(requestNanos).hasSize(5);
    }

    @Test
    void aServerThatDoesNotAnswerFailsThePageAfterAllAttempts() {
        proxy.setMode(Mode.HOLD);
        Retry twice = new Retry(2, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        assertThatThrownBy(() -> letters(client.retry(twice).timeout(Duration.ofMillis(20)))
                        .page())
                .hasRootCauseInstanceOf(TimeoutException.class);
        assertThat(requestNanos).hasSize(2);
    }

    @Test
    void aServerThatStopsEndsAStreamOfItemsWithOneError() {
        Iterator<Letter> items = letters(client).limit(10).items().iterator();
        for (int i = 0; i < 30; i++) {
            items.next();
        }
        proxy.cut();
        closeProxy();
        assertThatThrownBy(items::hasNext)
                .isInstanceOf(FeedException.class)
                .hasMessage("localhost:" + proxy.port() + " did not respond: java.net.ConnectException");
        assertThat(requestNanos).hasSize(3 + 5);
    }

    @Test
    void retryAfterIsRespected() {
        assertThat(provokeUnavailable(new Retry(2, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(1)))
                        .retryAfter())
                .contains(Duration.ofSeconds(1));
        assertThat(requestNanos).hasSize(2);
        // A busy machine only makes the time longer.
        assertThat(requestNanos.get(1) - requestNanos.get(0)).isGreaterThanOrEqualTo(1_000_000_000);
    }

    @Test
    void aRetryAfterBeyondTheLimitFailsThePageAtOnce() {
        provokeUnavailable(new Retry(2, Duration.ZERO, Duration.ZERO, Duration.ofMillis(999)));
        assertThat(requestNanos).hasSize(1);
    }

    private Problem provokeUnavailable(Retry retry) {
        FeedList<String> outage = client.retry(retry).feed("outage", json -> json);
        Problem problem =
                catchThrowableOfType(ProblemException.class, outage::page).problem();
        assertThat(problem.code()).isEqualTo(ProblemCode.UNAVAILABLE);
        return problem;
    }

    @Test
    void retryAfterIsANumberOfSecondsOrADate() {
        Instant now = Instant.parse("2026-01-16T10:00:00Z");
        assertThat(Problem.parseRetryAfter("30", now)).contains(Duration.ofSeconds(30));
        assertThat(Problem.parseRetryAfter("Fri, 16 Jan 2026 10:01:00 GMT", now))
                .contains(Duration.ofMinutes(1));
        assertThat(Problem.parseRetryAfter("Fri, 16 Jan 2026 09:00:00 GMT", now))
                .contains(Duration.ZERO);
        assertThat(Problem.parseRetryAfter("soon", now)).isEmpty();
    }

    @Test
    void delaysGrowWithTheAttemptsAndAreRandom() {
        Retry retry = new Retry(5, Duration.ofMillis(100), Duration.ofMillis(300), Duration.ofSeconds(5));
        for (int i = 0; i < 100; i++) {
            assertThat(retry.delay(1, Duration.ZERO)).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
            assertThat(retry.delay(2, Duration.ZERO)).isBetween(Duration.ofMillis(100), Duration.ofMillis(200));
            assertThat(retry.delay(9, Duration.ZERO)).isBetween(Duration.ofMillis(150), Duration.ofMillis(300));
            assertThat(retry.delay(1, Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(2));
        }
        assertThat(retry.delay(1, Duration.ZERO)).isNotEqualTo(retry.delay(1, Duration.ZERO));
    }

    private static FeedList<Letter> letters(TidemarkClient client) {
        return client.feed("letters", Letter::of);
    }
}

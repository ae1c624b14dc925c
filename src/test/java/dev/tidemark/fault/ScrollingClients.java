package dev.tidemark.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import dev.tidemark.client.FeedList;
import dev.tidemark.client.Page;
import dev.tidemark.client.PageStart;
import dev.tidemark.client.Problem;
import dev.tidemark.client.ProblemException;
import dev.tidemark.client.Retry;
import dev.tidemark.client.TidemarkClient;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Clients that scroll through a feed to its end, again and again. A client that does not get a page requests it again
 * with the same cursor. In the end, every scroll must have shown the whole list: each item once, in the list's order.
 */
final class ScrollingClients implements AutoCloseable {

    /** A request that takes longer than this fails the test. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    /** The problems that are allowed while the database fails. Clients can retry them. */
    private static final Set<String> TRANSIENT_PROBLEMS =
            Set.of("503 unavailable", "503 feed_unavailable", "503 overloaded", "504 timeout");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final FeedList<String> list;
    private final List<String> expected;
    private final Duration pause;
    private final List<Thread> clients = new ArrayList<>();
    private final Map<String, LongAdder> answers = new ConcurrentSkipListMap<>();
    private final Set<String> faults = ConcurrentHashMap.newKeySet();
    private final AtomicInteger completeScrolls = new AtomicInteger();
    private final AtomicInteger completeScrollsWithFailures = new AtomicInteger();
    private final AtomicLong slowestNanos = new AtomicLong();
    private final AtomicLong lastFailureNanos = new AtomicLong();
    private volatile boolean stopping;

    /** @param pause the time that a client waits between two pages */
    ScrollingClients(DeployedServer server, String feed, List<String> expected, int count, Duration pause) {
        this.list = TidemarkClient.of(URI.create("http://localhost:" + server.port()))
                .retry(Retry.NONE)
                .timeout(REQUEST_TIMEOUT)
                .feed(feed, item -> JSON.readTree(item).get("id").asText())
                .limit(25);
        this.expected = expected;
        this.pause = pause;
        for (int i = 0; i < count; i++) {
            Thread client = new Thread(this::scrollRepeatedly, "scroll-" + i);
            client.setDaemon(true);
            clients.add(client);
            client.start();
        }
    }

    /** Waits until the clients have received three more pages each, on average. */
    void awaitPages() {
        long before = count("200");
        Await.until("pages are served", () -> {
            // Clients stop at the first fault.
            assertThat(faults).isEmpty();
            return count("200") >= before + 3L * clients.size();
        });
    }

    void awaitFirstFailure() {
        Await.until("a page fails", () -> failures() > 0);
    }

    long failures() {
        return answers.entrySet().stream()
                .filter(answer -> !answer.getKey().equals("200"))
                .mapToLong(answer -> answer.getValue().sum())
                .sum();
    }

    /** The time from the given time ({@code System.nanoTime}) to the last failed request. */
    Duration timeToLastFailure(long startNanos) {
        return Duration.ofNanos(Math.max(0, lastFailureNanos.get() - startNanos));
    }

    long count(String answer) {
        LongAdder count = answers.get(answer);
        return count == null ? 0 : count.sum();
    }

    /** Waits for all scrolls to end, checks them, and describes what happened. */
    String finish() throws InterruptedException {
        stopping = true;
        for (Thread client : clients) {
            client.join(120_000);
            assertThat(client.isAlive()).as("a scroll comes to its end").isFalse();
        }
        assertThat(faults).isEmpty();
        assertThat(completeScrolls.get()).isGreaterThanOrEqualTo(clients.size());
        return "answers " + answers + "; complete scrolls " + completeScrolls + ", of which with failures "
                + completeScrollsWithFailures + "; slowest answer " + slowestNanos.get() / 1_000_000 + " ms";
    }

    /** The responses by status and error code, with their counts. */
    String answers() {
        return answers.toString();
    }

    int completeScrollsWithFailures() {
        return completeScrollsWithFailures.get();
    }

    private void scrollRepeatedly() {
        try {
            do {
                scroll();
            } while (!stopping && faults.isEmpty());
        } catch (RuntimeException | InterruptedException e) {
            faults.add(e.toString());
        }
    }

    private void scroll() throws InterruptedException {
        List<String> seen = new ArrayList<>();
        boolean failed = false;
        Optional<PageStart> next = Optional.of(PageStart.first());
        while (next.isPresent()) {
            long start = System.nanoTime();
            try {
                Page<String> page = list.page(next.get());
                seen.addAll(page.items());
                next = page.next().map(PageStart::cursor);
                countAnswer("200");
            } catch (ProblemException e) {
                failed = true;
                lastFailureNanos.set(System.nanoTime());
                countProblem(e.problem());
                Thread.sleep(50);
            } finally {
                slowestNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
            }
            Thread.sleep(pause.toMillis());
        }
        if (seen.equals(expected)) {
            completeScrolls.incrementAndGet();
            if (failed) {
                completeScrollsWithFailures.incrementAndGet();
            }
        } else {
            faults.add("a scroll saw " + seen.size() + " items of " + expected.size());
        }
    }

    private void countAnswer(String answer) {
        answers.computeIfAbsent(answer, status -> new LongAdder()).increment();
    }

    private void countProblem(Problem problem) {
        String answer = problem.status() + " " + problem.code().name().toLowerCase(Locale.ROOT);
        countAnswer(answer);
        if (!TRANSIENT_PROBLEMS.contains(answer)) {
            faults.add(answer + ": " + problem);
        } else if (problem.status() == 503 && problem.retryAfter().isEmpty()) {
            faults.add("no Retry-After with " + answer);
        }
    }

    @Override
    public void close() {
        stopping = true;
        clients.forEach(Thread::interrupt);
    }
}

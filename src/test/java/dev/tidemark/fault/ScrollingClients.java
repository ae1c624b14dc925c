package dev.tidemark.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.Await;
import dev.tidemark.DeployedServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Clients that scroll through a feed to its end, again and again. A client that does not get a page requests it again
 * with the same cursor. In the end, every scroll must have shown the whole list, each item once and in its place.
 */
final class ScrollingClients implements AutoCloseable {

    /** The problems that are allowed while the database fails. Clients can retry them. */
    private static final Set<String> PASSING = Set.of("503 unavailable", "503 overloaded", "504 timeout");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final DeployedServer server;
    private final String feed;
    private final List<String> expected;
    private final List<Thread> clients = new ArrayList<>();
    private final Map<String, LongAdder> answers = new ConcurrentSkipListMap<>();
    private final Set<String> wrong = ConcurrentHashMap.newKeySet();
    private final AtomicInteger whole = new AtomicInteger();
    private final AtomicInteger through = new AtomicInteger();
    private final AtomicLong slowest = new AtomicLong();
    private final AtomicLong lastFailure = new AtomicLong();
    private volatile boolean over;

    ScrollingClients(DeployedServer server, String feed, List<String> expected, int count) {
        this.server = server;
        this.feed = feed;
        this.expected = expected;
        for (int i = 0; i < count; i++) {
            Thread client = new Thread(this::scrollOn, "scroll-" + i);
            client.setDaemon(true);
            clients.add(client);
            client.start();
        }
    }

    /** Waits until all clients have received a page from now on. */
    void awaitPages() {
        long before = count("200");
        Await.until("pages are served", () -> count("200") >= before + 3L * clients.size());
    }

    void awaitFailures() {
        Await.until("a page fails", () -> failures() > 0);
    }

    long failures() {
        return answers.entrySet().stream()
                .filter(answer -> !answer.getKey().equals("200"))
                .mapToLong(answer -> answer.getValue().sum())
                .sum();
    }

    /** How long after that time the last failure was. */
    Duration healthyAfter(long nanos) {
        return Duration.ofNanos(Math.max(0, lastFailure.get() - nanos));
    }

    long count(String answer) {
        LongAdder count = answers.get(answer);
        return count == null ? 0 : count.sum();
    }

    /** Waits for all scrolls to end, checks them, and describes what happened. */
    String finish() throws InterruptedException {
        over = true;
        for (Thread client : clients) {
            client.join(120_000);
            assertThat(client.isAlive()).as("a scroll comes to its end").isFalse();
        }
        assertThat(wrong).isEmpty();
        assertThat(whole.get()).isGreaterThanOrEqualTo(clients.size());
        return "answers " + answers + "; whole scrolls " + whole + ", of which through failures " + through
                + "; slowest answer " + slowest.get() / 1_000_000 + " ms";
    }

    /** The responses with their counts. */
    String answers() {
        return answers.toString();
    }

    int scrolledThroughFailures() {
        return through.get();
    }

    private void scrollOn() {
        try {
            do {
                scroll();
            } while (!over && wrong.isEmpty());
        } catch (RuntimeException | InterruptedException | IOException e) {
            wrong.add(e.toString());
        }
    }

    private void scroll() throws InterruptedException, IOException {
        List<String> seen = new ArrayList<>();
        boolean failed = false;
        String cursor = "";
        while (cursor != null) {
            long start = System.nanoTime();
            HttpResponse<String> answer = server.get("/api/" + feed + "?limit=25" + cursor);
            slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
            if (answer.statusCode() == 200) {
                JsonNode page = JSON.readTree(answer.body());
                page.get("items").forEach(item -> seen.add(item.get("id").asText()));
                JsonNode next = page.get("next_cursor");
                cursor = next.isNull() ? null : "&cursor=" + next.asText();
                count200();
            } else {
                failed = true;
                lastFailure.set(System.nanoTime());
                note(answer);
                Thread.sleep(50);
            }
        }
        if (seen.equals(expected)) {
            whole.incrementAndGet();
            if (failed) {
                through.incrementAndGet();
            }
        } else {
            wrong.add("a scroll saw " + seen.size() + " items of " + expected.size());
        }
    }

    private void count200() {
        answers.computeIfAbsent("200", status -> new LongAdder()).increment();
    }

    private void note(HttpResponse<String> answer) throws IOException {
        String told = answer.statusCode() + " "
                + JSON.readTree(answer.body()).path("code").asText();
        answers.computeIfAbsent(told, status -> new LongAdder()).increment();
        if (!PASSING.contains(told)) {
            wrong.add(told + ": " + answer.body());
        } else if (answer.statusCode() == 503
                && answer.headers().firstValue("Retry-After").isEmpty()) {
            wrong.add("no Retry-After with " + told);
        }
    }

    @Override
    public void close() {
        over = true;
        clients.forEach(Thread::interrupt);
    }
}

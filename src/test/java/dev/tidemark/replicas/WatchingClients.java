package dev.tidemark.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.DeployedServer;
import dev.tidemark.Soak;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that scroll, follow the newest notes, and count new ones, until they are stopped. A client records a fault
 * if what it sees goes back in time.
 */
final class WatchingClients implements AutoCloseable {

    /**
     * The pause between two requests of a client. Without a {@code soak.factor}, it is longer, so that tests that run
     * in parallel get processor time.
     */
    private static final long PAUSE_MILLIS = Soak.isOn() ? 5 : 20;

    private final DeployedServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> clients = new ArrayList<>();
    private volatile boolean stopped;

    /** The faults that clients have observed. */
    final List<String> faults = Collections.synchronizedList(new ArrayList<>());

    /** The number of responses by status. */
    final TreeMap<Integer, Integer> statuses = new TreeMap<>();

    final AtomicInteger scrolls = new AtomicInteger();
    final AtomicLong longestMillis = new AtomicLong();

    /** The ids of the notes that {@link #follow()} has received. Each id is added after those of older notes. */
    final Set<Integer> followedIds = ConcurrentHashMap.newKeySet();

    WatchingClients(DeployedServer server) {
        this.server = server;
    }

    void start() {
        run(this::scroll);
        run(this::scroll);
        run(this::follow);
        run(this::watchTop);
        run(this::countFresh);
    }

    private void run(Callable<Void> client) {
        clients.add(threads.submit(client));
    }

    /** Fails if a client has failed or has recorded a fault. */
    void check() throws Exception {
        for (Future<?> client : clients) {
            if (client.isDone()) {
                client.get();
            }
        }
        assertThat(faults).isEmpty();
    }

    /** Stops all clients, and checks them. */
    void stop() throws Exception {
        stopped = true;
        for (Future<?> client : clients) {
            client.get();
        }
        check();
    }

    @Override
    public void close() {
        stopped = true;
        threads.shutdownNow();
    }

    /** Repeats a request that fails with 503, as clients should. Returns {@code null} when the clients are stopped. */
    private JsonObject get(String target) throws Exception {
        while (!stopped) {
            long start = System.nanoTime();
            HttpResponse<String> answer = server.get(target);
            longestMillis.accumulateAndGet((System.nanoTime() - start) / 1_000_000, Math::max);
            synchronized (statuses) {
                statuses.merge(answer.statusCode(), 1, Integer::sum);
            }
            Thread.sleep(PAUSE_MILLIS);
            if (answer.statusCode() == 200) {
                return new JsonObject(answer.body());
            }
            if (answer.statusCode() != 503) {
                faults.add(target + ": " + answer.body());
            }
            Thread.sleep(20);
        }
        return null;
    }

    private static List<Integer> ids(JsonObject page) {
        return page.getJsonArray("items").stream()
                .map(item -> Integer.valueOf(((JsonObject) item).getString("id")))
                .toList();
    }

    /** Each scroll to the end shows each permanent note once. */
    private Void scroll() throws Exception {
        while (true) {
            List<Integer> permanentIds = new ArrayList<>();
            JsonObject page = get("/api/notes?limit=100");
            while (page != null) {
                ids(page).stream()
                        .filter(id -> id <= NotesCluster.PERMANENT_NOTES)
                        .forEach(permanentIds::add);
                if (!page.getBoolean("has_more")) {
                    break;
                }
                page = get("/api/notes?limit=100&cursor=" + page.getString("next_cursor"));
            }
            if (page == null) {
                return null;
            }
            scrolls.incrementAndGet();
            if (permanentIds.size() != NotesCluster.PERMANENT_NOTES
                    || new TreeSet<>(permanentIds).size() != permanentIds.size()) {
                faults.add("a scroll has shown " + permanentIds.size() + " permanent notes");
            }
        }
    }

    /**
     * Follows the newest notes: alternately reads the page before the newest known note, and all pages from the start
     * of the list down to that note.
     */
    private Void follow() throws Exception {
        JsonObject newest = get("/api/notes?limit=1");
        if (newest == null) {
            return null;
        }
        followedIds.addAll(ids(newest));
        String top = newest.getJsonObject("cursors").getString("top");
        for (int turn = 0; ; turn++) {
            boolean isBackward = turn % 2 == 0;
            JsonObject page = get(isBackward ? "/api/notes?limit=100&cursor=" + top : untilTop("limit=3", top));
            if (page == null) {
                return null;
            }
            String nextTop = page.getJsonObject("cursors").getString("top");
            List<Integer> received = new ArrayList<>(ids(page));
            while (!isBackward && page.getBoolean("has_more")) {
                page = get(untilTop("limit=100&cursor=" + page.getString("next_cursor"), top));
                if (page == null) {
                    return null;
                }
                received.addAll(ids(page));
            }
            Collections.reverse(received);
            for (int id : received) {
                if (!followedIds.add(id)) {
                    faults.add("note " + id + " was received twice");
                }
            }
            top = nextTop;
        }
    }

    private static String untilTop(String parameters, String top) {
        return "/api/notes?" + parameters + "&until=" + top;
    }

    /** The newest note of the first page never becomes an older one, because none is deleted. */
    private Void watchTop() throws Exception {
        int top = 0;
        for (JsonObject page; (page = get("/api/notes?limit=3")) != null; ) {
            int now = ids(page).get(0);
            if (now < top) {
                faults.add("the first page went back from " + top + " to " + now);
            }
            top = now;
        }
        return null;
    }

    /** The number of new notes never falls, because none is deleted. */
    private Void countFresh() throws Exception {
        int count = 0;
        String top = null;
        while (true) {
            if (top == null || count >= 90) {
                JsonObject page = get("/api/notes?limit=1");
                if (page == null) {
                    return null;
                }
                top = page.getJsonObject("cursors").getString("top");
                count = 0;
            }
            JsonObject fresh = get("/api/notes/fresh?cursor=" + top);
            if (fresh == null) {
                return null;
            }
            if (fresh.getInteger("count") < count) {
                faults.add("the number of new notes fell from " + count + " to " + fresh.getInteger("count"));
            }
            count = fresh.getInteger("count");
        }
    }
}

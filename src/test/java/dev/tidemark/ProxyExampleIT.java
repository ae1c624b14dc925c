package dev.tidemark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.local.FreePort;
import dev.tidemark.local.TestPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The nginx configuration of the guides, in front of two servers. The clients use HTTP/2. */
@Timeout(120)
class ProxyExampleIT {

    private static final byte[] KEY = new byte[64];
    private static final int ROWS = 100_000;

    private static final DeployedServer[] SERVERS = new DeployedServer[2];

    @TempDir
    static Path directory;

    private static String database;
    private static Nginx nginx;
    private static HttpClient client;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(
                Nginx.isInstalled() || System.getenv(GuidesTest.MUST_RUN_VARIABLE) != null, "nginx is not installed");
        database = TestPostgres.newDatabase();
        execute("create table things (id bigint primary key, name text default 'a thing')");
        execute("insert into things select generate_series(1, " + ROWS + ")");
        for (int i = 0; i < SERVERS.length; i++) {
            SERVERS[i] = startOnFreePort();
        }
        nginx = Nginx.start(directory, SERVERS[0].port(), SERVERS[1].port());
        client = HttpClient.newBuilder().sslContext(nginx.contextThatTrustsIt()).build();
    }

    @AfterAll
    static void stop() {
        if (nginx != null) {
            nginx.close();
        }
        Stream.of(SERVERS).filter(server -> server != null).forEach(DeployedServer::close);
    }

    /** nginx knows the ports of the servers, so a server needs the same one after a restart. */
    private static DeployedServer startOnFreePort() throws IOException {
        while (true) {
            DeployedServer server = start(FreePort.choose(), "id");
            if (!server.findsItsPortTaken()) {
                return server.awaitReady();
            }
            server.close();
        }
    }

    private static DeployedServer start(int port, String columns) throws IOException {
        Path feeds = Files.writeString(directory.resolve("feeds-" + port + ".yaml"), """
                tidemark:
                  feeds:
                    things:
                      table: public.things
                      columns: [%s]
                      orders: {oldest: id, newest: id desc}
                      default-order: oldest
                """.formatted(columns));
        return new DeployedServer(Map.of(
                "QUARKUS_DATASOURCE_REACTIVE_URL", database,
                "QUARKUS_DATASOURCE_USERNAME", "postgres",
                "QUARKUS_HTTP_PORT", Integer.toString(port),
                "QUARKUS_CONFIG_LOCATIONS", feeds.toString(),
                "TIDEMARK_CURSOR_KEYS", Base64.getEncoder().encodeToString(KEY)));
    }

    @Test
    void pagesComeOverHttpTwoWithTheServersBytesAndEntityTag() throws Exception {
        String target = "/api/things?limit=100";
        HttpResponse<byte[]> page = get(target, BodyHandlers.ofByteArray(), "Accept-Encoding", "gzip");
        assertThat(page.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(page.headers().firstValue("Content-Encoding")).contains("gzip");
        HttpResponse<String> direct = SERVERS[0].get(target, "Accept-Encoding", "gzip");
        String tag = DeployedServer.header(direct, "ETag");
        assertThat(page.headers().firstValue("ETag")).contains(tag);
        assertThat(get(target, BodyHandlers.ofString(), "Accept-Encoding", "gzip", "If-None-Match", tag)
                        .statusCode())
                .isEqualTo(304);
    }

    @Test
    void eventsArriveWhileTheStreamIsOpen() throws Exception {
        String top = page("order=newest&limit=1").getString("cursors.top");
        HttpResponse<InputStream> stream = openStream(client, top);
        try (var events = new BufferedReader(new InputStreamReader(stream.body(), UTF_8))) {
            assertThat(nextCount(events)).isEqualTo(0);
            execute("insert into things values (" + (ROWS + 1) + ")");
            assertThat(nextCount(events)).isEqualTo(1);
        }
    }

    @Test
    void anAddressHasAtMostAHundredRequestsAtATime() throws Exception {
        String top = page("order=newest&limit=1").getString("cursors.top");
        HttpClient phone =
                HttpClient.newBuilder().sslContext(nginx.contextThatTrustsIt()).build();
        List<HttpResponse<InputStream>> streams = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                streams.add(openStream(phone, top));
            }
            assertThat(streams).allMatch(stream -> stream.statusCode() == 200);
            assertThat(get("/api/things", BodyHandlers.discarding()).statusCode())
                    .isEqualTo(429);
        } finally {
            for (HttpResponse<InputStream> stream : streams) {
                stream.body().close();
            }
        }
        Await.until(
                "the address has free requests",
                () -> get("/api/things", BodyHandlers.discarding()).statusCode() == 200);
    }

    @Test
    void aScrollGoesThroughARollingRestartThatAddsAColumn() throws Exception {
        AtomicBoolean restarted = new AtomicBoolean();
        AtomicInteger pages = new AtomicInteger();
        CompletableFuture<List<JsonDocument>> scroll = CompletableFuture.supplyAsync(() -> {
            try {
                return scrollUntil(restarted, pages);
            } catch (IOException | InterruptedException e) {
                throw new CompletionException(e);
            }
        });
        for (int i = 0; i < SERVERS.length; i++) {
            int before = pages.get();
            Await.until("the scroll goes on", () -> pages.get() > before + 5 || scroll.isDone());
            int port = SERVERS[i].port();
            SERVERS[i].askToStop();
            SERVERS[i].awaitEnd();
            SERVERS[i].close();
            SERVERS[i] = start(port, "id, name").awaitReady();
        }
        restarted.set(true);

        List<JsonDocument> read = scroll.get(1, TimeUnit.MINUTES);
        List<Long> ids = read.stream()
                .flatMap(page -> page.<String>getList("items.id").stream())
                .map(Long::valueOf)
                .toList();
        assertThat(ids).isEqualTo(LongStream.rangeClosed(1, ids.size()).boxed().toList());
        assertThat(read.get(0).getList("items.name")).containsOnlyNulls();
        assertThat(read.get(read.size() - 1).getList("items.name")).containsOnly("a thing");
    }

    /** Scrolls until both servers have been restarted, and one page further. */
    private static List<JsonDocument> scrollUntil(AtomicBoolean restarted, AtomicInteger pages)
            throws IOException, InterruptedException {
        List<JsonDocument> read = new ArrayList<>();
        read.add(page("limit=2"));
        boolean last;
        do {
            last = restarted.get();
            read.add(page("limit=2&cursor=" + read.get(read.size() - 1).getString("next_cursor")));
            pages.incrementAndGet();
        } while (!last);
        return read;
    }

    private static HttpResponse<InputStream> openStream(HttpClient client, String cursor)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri("/api/things/fresh?order=newest&cursor=" + cursor))
                .header("Accept", "text/event-stream")
                .build();
        return client.send(request, BodyHandlers.ofInputStream());
    }

    private static int nextCount(BufferedReader events) throws IOException {
        String line;
        do {
            line = events.readLine();
        } while (!line.startsWith("data: "));
        return JsonDocument.of(line.substring("data: ".length())).getInt("count");
    }

    private static JsonDocument page(String parameters) throws IOException, InterruptedException {
        HttpResponse<String> page = get("/api/things?" + parameters, BodyHandlers.ofString());
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        return JsonDocument.of(page.body());
    }

    private static <T> HttpResponse<T> get(String target, HttpResponse.BodyHandler<T> body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(target));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), body);
        } catch (IOException e) {
            // nginx ends a connection after 1,000 requests. Unlike browsers, the JDK's client does not repeat a
            // request that arrives at that moment.
            if (!String.valueOf(e.getMessage()).contains("GOAWAY")) {
                throw e;
            }
            return client.send(request.build(), body);
        }
    }

    private static URI uri(String target) {
        return URI.create("https://localhost:" + nginx.port() + target);
    }

    private static void execute(String sql) throws Exception {
        try (var connection = DriverManager.getConnection("jdbc:" + database, "postgres", "postgres")) {
            connection.createStatement().execute(sql);
        }
    }
}

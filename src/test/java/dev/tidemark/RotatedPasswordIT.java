package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.local.DedicatedPostgres;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The password of the role is replaced while the deployed server serves pages. */
@Timeout(300)
@Slow
class RotatedPasswordIT {

    private static final int CLIENTS = 8;

    @TempDir
    Path directory;

    @Test
    void newConnectionsUseTheNewPasswordWithoutARestart() throws Exception {
        Path file = mount("first");
        try (DedicatedPostgres postgres = new DedicatedPostgres(directory)) {
            postgres.run("create role reader login password 'first'; create table things (id bigint primary key);"
                    + " insert into things select generate_series(1, 200); grant select on things to reader");
            Files.writeString(directory.resolve("data/pg_hba.conf"), """
                    host all postgres all trust
                    host all reader all scram-sha-256
                    """);
            postgres.run("select pg_reload_conf()");
            try (DeployedServer server = start(postgres, file).awaitReady()) {
                AtomicBoolean stopped = new AtomicBoolean();
                AtomicInteger served = new AtomicInteger();
                AtomicInteger rejected = new AtomicInteger();
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
                try {
                    List<Future<?>> running = new ArrayList<>();
                    for (int i = 0; i < CLIENTS; i++) {
                        running.add(clients.submit(() -> {
                            while (!stopped.get()) {
                                read(server, served, rejected);
                            }
                            return null;
                        }));
                    }
                    awaitMore(served);
                    postgres.run("alter role reader password 'second'");
                    mount("second");
                    assertThat(rejected.get()).as("open sessions stay open").isZero();
                    postgres.run("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'reader'");
                    awaitMore(served);
                    postgres.stop();
                    postgres.start();
                    awaitMore(served);
                    stopped.set(true);
                    for (Future<?> client : running) {
                        client.get(60, TimeUnit.SECONDS);
                    }
                } finally {
                    stopped.set(true);
                    clients.shutdown();
                }
                assertThat(server.log()).noneMatch(line -> line.contains("first") || line.contains("second"));
            }
        }
    }

    /** Replaces the files of a secret as Kubernetes does: by a symbolic link to their directory. */
    private Path mount(String password) throws IOException {
        Path version = Files.createDirectories(directory.resolve("..version-" + password));
        Files.writeString(version.resolve("password"), password + "\n");
        Path next = Files.createSymbolicLink(directory.resolve("..next"), version.getFileName());
        Files.move(next, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        Path file = directory.resolve("password");
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                ? file
                : Files.createSymbolicLink(file, Path.of("..data", "password"));
    }

    private static DeployedServer start(DedicatedPostgres postgres, Path file) throws IOException {
        return new DeployedServer(Map.of(
                "DATABASE_URL",
                "postgres://reader@localhost:" + postgres.port() + "/postgres",
                "TIDEMARK_DATABASE_PASSWORD_FILE",
                file.toString(),
                "TIDEMARK_FEEDS",
                "{things: {table: things, orders: {o: id}}}"));
    }

    /** A client that repeats its request after a 503 gets its page. */
    private static void read(DeployedServer server, AtomicInteger served, AtomicInteger rejected) throws Exception {
        HttpResponse<String> page = server.get("/api/things?limit=20");
        if (page.statusCode() == 200) {
            served.incrementAndGet();
        } else {
            assertThat(page.statusCode()).as(page.body()).isEqualTo(503);
            assertThat(page.headers().firstValue("Retry-After")).isPresent();
            rejected.incrementAndGet();
        }
    }

    private static void awaitMore(AtomicInteger served) {
        int before = served.get();
        Await.until("pages are served", () -> served.get() > before + 100);
    }
}

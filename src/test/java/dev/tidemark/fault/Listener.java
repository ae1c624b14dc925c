package dev.tidemark.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.DeployedServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client of an event stream. */
final class Listener {

    private static final String DATA = "data: ";
    private static final String HEARTBEAT = ":";

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> end;

    Listener(int port, String target, String authorization) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + target))
                .header("Accept", "text/event-stream")
                .header("Authorization", authorization)
                .build();
        end = DeployedServer.HTTP
                .sendAsync(request, HttpResponse.BodyHandlers.ofLines())
                .thenAcceptAsync(answer -> answer.body().forEach(lines::add));
    }

    /** What the next event says, waited for. */
    String event() throws InterruptedException {
        return next(DATA).substring(DATA.length());
    }

    /** One that comes from now on. */
    void awaitHeartbeat() throws InterruptedException {
        lines.removeIf(HEARTBEAT::equals);
        next(HEARTBEAT);
    }

    void awaitEnd(Duration longest) throws Exception {
        end.get(longest.toSeconds(), TimeUnit.SECONDS);
    }

    private String next(String beginning) throws InterruptedException {
        while (true) {
            String line = lines.poll(20, TimeUnit.SECONDS);
            assertThat(line).as("a line that begins with " + beginning).isNotNull();
            if (line.startsWith(beginning)) {
                return line;
            }
        }
    }
}

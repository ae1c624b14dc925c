package dev.tidemark.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.credentials.CredentialsProvider;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.file.FileSystemException;
import io.vertx.pgclient.PgConnectOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialsTest {

    private static final PgConnectOptions OPTIONS =
            new PgConnectOptions().setUser("ada").setPassword("configured");

    private final Vertx vertx = Vertx.vertx();

    @TempDir
    Path directory;

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private PgConnectOptions options(Credentials credentials) {
        return credentials
                .addTo(OPTIONS, vertx)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    @Test
    void thePasswordIsThatInTheFileAtTheTimeOfEachConnection() throws IOException {
        Path file = Files.writeString(directory.resolve("password"), "first\n");
        Credentials credentials = new Credentials(Optional.of(file), Optional.empty());
        assertThat(options(credentials).getPassword()).isEqualTo("first");
        Files.writeString(file, " sec ond \r\n");
        assertThat(options(credentials).getPassword()).isEqualTo(" sec ond ");
        assertThat(options(credentials).getUser()).isEqualTo("ada");
        Files.delete(file);
        assertThatThrownBy(() -> options(credentials)).hasCauseInstanceOf(FileSystemException.class);
        assertThat(OPTIONS.getPassword()).isEqualTo("configured");
    }

    @Test
    void theProviderIsAskedForEachConnection() {
        AtomicInteger asked = new AtomicInteger();
        Credentials credentials = new Credentials(Optional.empty(), Optional.of(() -> Uni.createFrom()
                .item(() -> Map.of(
                        CredentialsProvider.USER_PROPERTY_NAME,
                        "role" + asked.incrementAndGet(),
                        CredentialsProvider.PASSWORD_PROPERTY_NAME,
                        "password"))));
        assertThat(options(credentials).getUser()).isEqualTo("role1");
        assertThat(options(credentials).getUser()).isEqualTo("role2");
        assertThat(options(credentials).getPassword()).isEqualTo("password");
    }

    @Test
    void withoutBothTheConfiguredOnesAreUsed() {
        Credentials credentials = new Credentials(Optional.empty(), Optional.empty());
        assertThat(credentials.areRead()).isFalse();
        assertThat(options(credentials)).isSameAs(OPTIONS);
    }
}

package dev.tidemark.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tidemark.Await;
import dev.tidemark.BesideQuarkusTests;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@BesideQuarkusTests
class LocalPostgresTest {

    private final List<ServerJvm> jvms = new ArrayList<>();

    /** A directory that tests share, because creating a database cluster takes seconds. Each test leaves it usable. */
    @TempDir
    static Path directory;

    @AfterEach
    void stop() {
        jvms.forEach(jvm -> jvm.handle().destroyForcibly());
        awaitNoServer();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theServerStopsWithItsJvm(boolean killed) throws Exception {
        var jvm = launch();
        var port = jvm.port();
        assertThat(acceptsConnections(port)).isTrue();

        Consumer<ProcessHandle> end = killed ? ProcessHandle::destroyForcibly : ProcessHandle::destroy;
        end.accept(jvm.handle());

        awaitNoServer();
        assertThat(acceptsConnections(port)).isFalse();
    }

    @Test
    void dataIsKeptBetweenRuns() throws Exception {
        var first = launch();
        TestPostgres.execute(first.port(), "create table kept (id int)");
        first.handle().destroy();
        first.awaitExit();

        assertThatCode(() -> TestPostgres.execute(launch().port(), "insert into kept values (1)"))
                .as("the table of the first run still exists")
                .doesNotThrowAnyException();
    }

    @Test
    void anOrphanedServerIsReusedAndStopsWithTheNewJvm() throws Exception {
        var first = launch();
        var port = first.port();
        first.watchdog().destroyForcibly();
        first.handle().destroyForcibly();
        first.awaitExit();
        assertThat(acceptsConnections(port)).isTrue();

        var second = launch();
        assertThat(second.port()).isEqualTo(port);

        second.handle().destroyForcibly();
        awaitNoServer();
    }

    @Test
    void aStalePidFileOfAnotherProcessDoesNotPreventTheStart() throws Exception {
        var first = launch();
        first.port();
        var pidFile = directory.resolve("postgresql-17/postmaster.pid");
        var content = Files.readString(pidFile);
        first.handle().destroyForcibly();
        awaitNoServer();
        var stranger = ProcessHandle.current().pid();
        Files.writeString(pidFile, stranger + content.substring(content.indexOf('\n')));

        assertThat(acceptsConnections(launch().port())).isTrue();
    }

    @Test
    void aDirectoryInUseIsRejectedWithAdvice() throws Exception {
        launch().port();

        var second = launch();

        assertThat(second.readLine())
                .isEqualTo("Another Tidemark process is using " + directory
                        + ". Stop it, or set TRY_IT_POSTGRES_DIRECTORY to another directory.");
        assertThat(second.awaitExit()).isEqualTo(1);
    }

    @Test
    void aHalfInitializedClusterIsRecreated(@TempDir Path directory) throws Exception {
        var data = directory.resolve("postgresql-17");
        Files.createDirectories(data);
        Files.writeString(data.resolve("postgresql.conf"), "");

        assertThat(acceptsConnections(launch(directory).port())).isTrue();

        jvms.remove(0).handle().destroyForcibly();
        awaitNoServer(directory);
    }

    @Test
    void startingTwiceInOneJvmGivesTheSameServer(@TempDir Path directory) throws Exception {
        var data = directory.resolve("postgresql-17");
        try {
            assertThat(LocalPostgres.start(directory)).isEqualTo(LocalPostgres.start(directory));
        } finally {
            var pid = Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0));
            new ProcessBuilder("kill", "-INT", Long.toString(pid)).start().waitFor();
            awaitNoServer(directory);
        }
    }

    @Test
    void theServerHasTheExpectedMajorVersionAndLocale() throws Exception {
        try (var connection = TestPostgres.dataSource(TestPostgres.port()).getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select current_setting('server_version_num')::int / 10000,"
                        + " datlocprovider, datlocale, pg_encoding_to_char(encoding)"
                        + " from pg_database where datname = current_database()")) {
            row.next();
            assertThat(row.getInt(1)).isEqualTo(LocalPostgres.MAJOR_VERSION);
            assertThat(row.getString(2)).isEqualTo("b");
            assertThat(row.getString(3)).isEqualTo("C.UTF-8");
            assertThat(row.getString(4)).isEqualTo("UTF8");
        }
    }

    private ServerJvm launch() {
        return launch(directory);
    }

    private ServerJvm launch(Path directory) {
        var jvm = ServerJvm.launch(directory);
        jvms.add(jvm);
        return jvm;
    }

    private static void awaitNoServer() {
        awaitNoServer(directory);
    }

    private static void awaitNoServer(Path directory) {
        var pidFile = directory.resolve("postgresql-17/postmaster.pid");
        Await.until("the server has stopped", () -> Files.notExists(pidFile));
    }

    private static boolean acceptsConnections(int port) {
        try (var connection = TestPostgres.dataSource(port).getConnection()) {
            return connection.isValid(2);
        } catch (SQLException e) {
            return false;
        }
    }
}

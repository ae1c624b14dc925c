package dev.tidemark.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A JVM that starts the PostgreSQL server of a directory, prints its port and waits until a test ends the JVM. */
final class ServerJvm {

    private final Process process;
    private final BufferedReader output;

    private ServerJvm(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    public static void main(String[] args) throws InterruptedException {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off");
        try {
            System.out.println("port " + LocalPostgres.start(Path.of(args[0])));
        } catch (LocalPostgresException e) {
            System.out.println(e.getMessage());
            System.exit(1);
        }
        Thread.currentThread().join();
    }

    static ServerJvm launch(Path directory) {
        try {
            return new ServerJvm(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ServerJvm.class.getName(),
                            directory.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        var line = readLine();
        if (!line.startsWith("port ")) {
            throw new IllegalStateException(line);
        }
        return Integer.parseInt(line.substring("port ".length()));
    }

    String readLine() {
        try {
            return output.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The watchdog, which is a child process of this JVM. The PostgreSQL server itself is not. */
    ProcessHandle watchdog() {
        return process.children().findFirst().orElseThrow();
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    int awaitExit() throws InterruptedException {
        return process.waitFor(30, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }
}

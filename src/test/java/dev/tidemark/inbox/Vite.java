package dev.tidemark.inbox;

import dev.tidemark.local.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** The development server that the guide uses. It serves the files of a directory. */
final class Vite implements AutoCloseable {

    private final Process process;
    private final URI page;

    private Vite(Process process, URI page) {
        this.process = process;
        this.page = page;
    }

    static Vite start(Path directory) throws IOException {
        int port = FreePort.choose();
        var command = new ProcessBuilder(
                        "node", "node_modules/vite/bin/vite.js", "--port", Integer.toString(port), "--strictPort")
                .directory(directory.toFile())
                .redirectErrorStream(true);
        command.environment().putAll(Map.of("NO_COLOR", "1", "CI", "true"));
        var process = command.start();
        awaitAddress(process.inputReader(), Integer.toString(port));
        return new Vite(process, URI.create("http://localhost:" + port + "/"));
    }

    private static void awaitAddress(BufferedReader output, String port) throws IOException {
        var read = new StringBuilder();
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            read.append(line).append('\n');
            if (line.contains("Local") && line.contains(port)) {
                return;
            }
        }
        throw new IOException("Vite has not started: " + read);
    }

    URI pageUri() {
        return page;
    }

    @Override
    public void close() {
        process.destroy();
    }
}

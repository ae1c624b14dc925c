package dev.tidemark.inbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/** The development server that the guide uses. It serves the files of a directory. */
final class Vite implements AutoCloseable {

    private static final Pattern LOCAL_ADDRESS = Pattern.compile("(?<=Local: {1,9})http://localhost:[1-9]\\d*/");

    private final Process process;
    private final URI page;

    private Vite(Process process, URI page) {
        this.process = process;
        this.page = page;
    }

    static Vite start(Path directory) throws IOException {
        var command = new ProcessBuilder("node", "node_modules/vite/bin/vite.js")
                .directory(directory.toFile())
                .redirectErrorStream(true);
        command.environment().putAll(Map.of("NO_COLOR", "1", "CI", "true"));
        var process = command.start();
        try {
            return new Vite(process, awaitAddress(process.inputReader()));
        } catch (IOException e) {
            process.destroy();
            throw e;
        }
    }

    private static URI awaitAddress(BufferedReader output) throws IOException {
        var read = new StringBuilder();
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            read.append(line).append('\n');
            var address = LOCAL_ADDRESS.matcher(line);
            if (address.find()) {
                return URI.create(address.group());
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

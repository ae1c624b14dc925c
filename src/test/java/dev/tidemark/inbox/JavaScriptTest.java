package dev.tidemark.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.BesideQuarkusTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs {@code src/test/javascript} with the Node.js that Playwright contains, so that Node.js need not be installed.
 */
@BesideQuarkusTests
class JavaScriptTest {

    @Test
    @Timeout(120)
    void theJavaScriptTestsPass() throws IOException, InterruptedException {
        var driver = Chromium.nodeJs();
        var command = new ArrayList<>(
                List.of(driver.createProcessBuilder().command().get(0), "--test", "--test-reporter=spec"));
        try (var files = Files.newDirectoryStream(Path.of("src/test/javascript"), "*.test.mjs")) {
            files.forEach(file -> command.add(file.toString()));
        }
        var tests = new ProcessBuilder(command).redirectErrorStream(true).start();

        var report = new String(tests.getInputStream().readAllBytes());

        assertThat(tests.waitFor()).as(report).isZero();
        assertThat(report).containsPattern("pass [1-9]");
    }
}

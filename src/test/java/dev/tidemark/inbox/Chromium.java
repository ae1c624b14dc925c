package dev.tidemark.inbox;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.impl.driver.Driver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The browser of the machine. If there is none, browser tests are skipped and a message is printed; if {@value
 * #MUST_RUN_VARIABLE} is set, as in continuous integration, they fail.
 */
public class Chromium implements ExecutionCondition {

    static final String MUST_RUN_VARIABLE = "TIDEMARK_TEST_IN_BROWSER";

    private static final Map<String, String> SKIP_DOWNLOAD = Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");

    private static final List<String> FLAGS = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--process-per-site");

    private static final List<String> PLACES = List.of(
            "/usr/bin/chromium",
            "/usr/bin/chromium-browser",
            "/usr/bin/google-chrome",
            "/snap/bin/chromium",
            "/Applications/Chromium.app/Contents/MacOS/Chromium",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (find().isPresent() || System.getenv(MUST_RUN_VARIABLE) != null) {
            return enabled("Chromium is installed or required");
        }
        if (context.getTestMethod().isEmpty()) {
            System.out.println("NOT TESTED IN A BROWSER: " + context.getDisplayName() + " found no Chromium");
        }
        return disabled("no Chromium was found");
    }

    /** Playwright's own driver, without the browsers that it would download. */
    static Playwright driver() {
        return whileNobodyUnpacksTheDriver(
                () -> Playwright.create(new Playwright.CreateOptions().setEnv(SKIP_DOWNLOAD)));
    }

    /** The driver's Node.js, unpacked into a directory. */
    static Driver nodeJs() {
        return whileNobodyUnpacksTheDriver(() -> Driver.ensureDriverInstalled(SKIP_DOWNLOAD, false));
    }

    /**
     * The driver is unpacked from a jar, which two class loaders cannot open at the same time. All class loaders lock
     * the same object.
     */
    private static <T> T whileNobodyUnpacksTheDriver(Supplier<T> unpack) {
        synchronized (System.getProperties()) {
            return unpack.get();
        }
    }

    static com.microsoft.playwright.Browser launch(Playwright playwright) {
        Path executable = find().orElseThrow(() -> new IllegalStateException("no Chromium in any of " + PLACES));
        return playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(executable)
                        .setHeadless(true)
                        .setArgs(FLAGS));
    }

    private static Optional<Path> find() {
        return Stream.concat(Stream.ofNullable(System.getenv("CHROMIUM")), PLACES.stream())
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }
}

package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.http.RestrictedFeedsProfile;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The {@code curl} commands of the README and of several guides print the output that is shown below them. They run
 * with Bash, against the sample inbox. Of each document, the test runs the blocks in which all commands send requests,
 * up to the first block that writes to the database or starts another server.
 */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class GuidesTest {

    /** If this variable is set and a tool is missing, the test fails instead of being skipped. */
    static final String MUST_RUN_VARIABLE = "TIDEMARK_TEST_GUIDES";

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```console\n(.*?)^```$");

    /** A cursor, which the guides may shorten. With the public key of the sample inbox, it is the same everywhere. */
    private static final String CURSOR = "(A[A-Za-z0-9_-]{7})([A-Za-z0-9_-]{53,}|…)";

    /**
     * Parts of the output that differ from run to run: moments, ids of requests, times, and the planner's estimates.
     */
    private static final List<String> VARYING = List.of(
            "(?<=\"moment\": ?\")[A-Za-z0-9_-]+…?",
            "(?<=\"request_id\":\")\\w+",
            "(?<=X-Request-Id: )\\w+",
            "(?<=db;dur=)[0-9.]+",
            "(?<=\"value\":)\\d+(?=,\"relation\":\"estimate\")");

    /** A command that sends a request, and possibly stores a value of the response in a variable. */
    private static final Predicate<String> SENDS_REQUEST =
            Pattern.compile("^(\\w+=\\$\\()?curl .*http://localhost:8080/").asPredicate();

    @TestHTTPResource("/")
    URL server;

    @ParameterizedTest
    @ValueSource(
            strings = {"README.md", "caching.md", "export.md", "paging.md", "problems.md", "universal-protocol.md"})
    void everyCommandPrintsWhatTheGuideShows(String name) throws Exception {
        assumeTrue(System.getenv(MUST_RUN_VARIABLE) != null || hasTools(), "bash, curl or jq is missing");
        List<String> blocks = blocks(name);
        assertThat(blocks).isNotEmpty();

        String shown = String.join("", blocks);
        assertThat(maskVaryingText(run(shown))).isEqualTo(maskVaryingText(outputs(shown)));
    }

    @Test
    void blocksThatSendRequestsAreRunUpToTheFirstThatWritesOrStartsAServer() {
        assertThat(blocksToRun("""
                        ```console
                        $ ./mvnw quarkus:dev
                        or curl http://localhost:8080/
                        ```
                        ```console
                        $ curl http://localhost:8080/api
                        {}
                        ```
                        ```console
                        $ curl -X DELETE http://localhost:8080/inbox/messages/1
                        ```
                        ```console
                        $ curl http://localhost:8080/api
                        {}
                        ```
                        """)).containsExactly("$ curl http://localhost:8080/api\n{}\n");
    }

    private static List<String> blocks(String name) throws IOException {
        Path path = name.equals("README.md") ? Path.of(name) : Path.of("src/site/markdown", name);
        return blocksToRun(Files.readString(path));
    }

    private static List<String> blocksToRun(String document) {
        return BLOCK.matcher(document)
                .results()
                .map(block -> block.group(1))
                .takeWhile(block -> !block.contains("java -jar") && !block.contains("/inbox/messages"))
                .filter(block -> commands(block).stream().allMatch(SENDS_REQUEST))
                .toList();
    }

    /** The output of all commands, one after another. */
    private String run(String session) throws IOException, InterruptedException {
        String script = commands(session).stream()
                .map(command -> command.replace("http://localhost:8080/", server.toString()) + "\necho\n")
                .reduce("curl() { command curl -s \"$@\"; }\n", String::concat);
        Process bash = new ProcessBuilder("bash", "-c", script)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(bash.getInputStream().readAllBytes());
        assertThat(bash.waitFor()).isZero();
        return output;
    }

    private static List<String> commands(String session) {
        return session.lines()
                .filter(line -> line.startsWith("$ "))
                .map(line -> line.substring(2))
                .toList();
    }

    private static String outputs(String session) {
        return session.lines().filter(line -> !line.startsWith("$ ")).reduce("", (text, line) -> text + line + '\n');
    }

    /** Masks the parts that vary, and removes blank lines and carriage returns, which the guides do not show. */
    private static String maskVaryingText(String output) {
        List<String> lines = new ArrayList<>();
        output.lines()
                .map(String::stripTrailing)
                .filter(line -> !line.isEmpty())
                .forEach(lines::add);
        String text = String.join("\n", lines);
        for (String varying : VARYING) {
            text = text.replaceAll(varying, "…");
        }
        return text.replaceAll(CURSOR, "$1…");
    }

    static boolean hasTools() {
        return Stream.of("bash", "curl", "jq")
                .allMatch(tool -> Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool))));
    }
}

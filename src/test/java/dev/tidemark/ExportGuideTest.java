package dev.tidemark;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.http.RestrictedFeedsProfile;
import dev.tidemark.http.TestServer;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The script in the export guide completes an export that was interrupted at any point. */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class ExportGuideTest {

    private static final Path GUIDE = Path.of("src/site/markdown/export.md");

    private Path directory;
    private String url;
    private String export;

    /** JUnit does not set a {@code @TempDir} in the test instance that Quarkus creates. */
    @BeforeEach
    void createDirectory() throws Exception {
        directory = Files.createTempDirectory("export");
    }

    @AfterEach
    void deleteDirectory() throws Exception {
        for (String name : List.of("export.sh", "messages.ndjson")) {
            Files.deleteIfExists(directory.resolve(name));
        }
        Files.delete(directory);
    }

    @BeforeEach
    void export() throws Exception {
        assumeTrue(
                GuidesTest.hasTools() || System.getenv(GuidesTest.MUST_RUN_VARIABLE) != null,
                "bash, curl or jq is missing");
        String target = "/api/messages?status=open&fields=id";
        url = TestServer.url(target).toString();
        export = given().accept("application/x-ndjson").when().get(target).asString();
    }

    @Test
    void anInterruptedExportIsCompletedWithoutGapsOrRepetitions() throws Exception {
        int cursor = export.indexOf("{\"cursor\"", export.indexOf("{\"cursor\"") + 1);
        int items = export.indexOf("\n", cursor) + 1;
        int end = export.indexOf("{\"end\"");
        List<String> interrupted = List.of(
                "",
                export.substring(0, 10),
                export.substring(0, cursor - 5),
                export.substring(0, cursor),
                export.substring(0, cursor + 30),
                export.substring(0, items - 1),
                export.substring(0, items),
                export.substring(0, items + 15),
                export.substring(0, items) + "{\"problem\":{\"status\":401,\"code\":\"unauthorized\"}}\n",
                export.substring(0, end),
                export.substring(0, end + 20),
                export);
        assertThat(interrupted).allSatisfy(start -> {
            List<String> completed = completeWithGuideScript(start);
            assertThat(items(completed.stream())).isEqualTo(items(export.lines()));
            assertThat(completed.get(completed.size() - 1))
                    .matches("\\{\"end\":\\{\"items\":\\d+,\"cursor\":\"[^\"]+\"}}");
            assertThat(completed)
                    .allMatch(line -> line.matches("\\{\"(list|item|cursor|end)\":.*}") && !line.contains("}{"));
        });
    }

    private List<String> completeWithGuideScript(String start) throws Exception {
        Path script = Files.writeString(directory.resolve("export.sh"), script());
        Path file = Files.writeString(directory.resolve("messages.ndjson"), start);
        Process bash = new ProcessBuilder("bash", script.toString(), url, file.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(bash.getInputStream().readAllBytes());
        assertThat(bash.waitFor()).as(output).isZero();
        return Files.readAllLines(file);
    }

    private static String script() throws Exception {
        Matcher block = Pattern.compile("(?ms)^```bash\n(.*?)^```$").matcher(Files.readString(GUIDE));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    private static List<String> items(Stream<String> lines) {
        return lines.filter(line -> line.startsWith("{\"item\"")).toList();
    }
}

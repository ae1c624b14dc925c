package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.RestrictedFeedsProfile;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The Java programs in the guide to JVM and mobile clients print the output that the guide shows. Only the address of
 * the server is changed, to that of the sample inbox.
 */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class JavaGuideTest {

    private static final Path GUIDE = Path.of("src/site/markdown/jvm-and-mobile-clients.md");

    @TestHTTPResource("/")
    URL server;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"PrintSubjects", "ReadInbox", "FollowInbox"})
    void aProgramPrintsWhatTheGuideShows(String name) throws Exception {
        assertThat(run(name)).isEqualTo(block("$ mvn -q compile exec:java -Dexec.mainClass=" + name + "\\b[^\n]*\n"));
    }

    @Test
    void aProgramThatKeepsAListPrintsWhatTheGuideShows() throws Exception {
        aProgramPrintsWhatTheGuideShows("KeepInbox");
        assertThat(run("KeepInbox")).isEqualTo(block("$ mvn -q exec:java -Dexec.mainClass=KeepInbox\\b[^\n]*\n"));
    }

    /** Runs a program, and returns what it prints. */
    private String run(String name) throws Exception {
        String source = block("`src/main/java/" + name + ".java`:\n\n```java\n");
        Path program = Files.writeString(
                Files.createTempFile(name, ".java"), source.replace("http://localhost:8080", server.toString()));
        program.toFile().deleteOnExit();
        Process java = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        program.toString(),
                        server.toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(java.getInputStream().readAllBytes());
        assertThat(java.waitFor()).as(output).isZero();
        return output;
    }

    /**
     * Returns the rest of the code block after its start.
     *
     * @param start a regular expression, in which {@code $} is literal
     */
    private static String block(String start) throws Exception {
        Matcher block = Pattern.compile("(?ms)^" + start.replace("$", "\\$") + "(.*?)^```$")
                .matcher(Files.readString(GUIDE));
        assertThat(block.find()).as(start).isTrue();
        return block.group(1);
    }
}

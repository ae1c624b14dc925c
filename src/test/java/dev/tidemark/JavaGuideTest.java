package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.inbox.SampleInboxProfile;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Java program in the guide compiles and runs, unchanged, against the sample inbox. */
@QuarkusTest
@TestProfile(SampleInboxProfile.class)
class JavaGuideTest {

    private static final Path GUIDE = Path.of("src/site/markdown/jvm-and-mobile-clients.md");

    @TestHTTPResource("/")
    URL server;

    @Test
    void theProgramPrintsWhatTheGuideShows() throws Exception {
        Path program = Files.writeString(Files.createTempFile("ReadInbox", ".java"), firstBlock("java"));
        program.toFile().deleteOnExit();
        Process java = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        program.toString(),
                        server.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(java.getInputStream().readAllBytes())).isEqualTo(firstBlock("text"));
        assertThat(java.waitFor()).isZero();
    }

    private static String firstBlock(String language) throws Exception {
        Matcher block = Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$").matcher(Files.readString(GUIDE));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }
}

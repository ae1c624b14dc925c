package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.problem.ProblemCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The runbook says of every problem, and of everything that the deployed code logs above debug, what to do. */
class RunbookTest {

    private static final Path SOURCES = Path.of("src/main/java/dev/tidemark");
    private static final String RUNBOOK = read(Path.of("src/site/markdown/operations.md"));

    @ParameterizedTest
    @EnumSource(ProblemCode.class)
    void everyProblemIsInIt(ProblemCode code) {
        assertThat(RUNBOOK).containsPattern("\n\\|[^|]*`" + code.wireName() + "`[^|]*\\|");
    }

    @Test
    void everyTextThatIsLoggedIsInIt() {
        var texts =
                deployed().flatMap(source -> LoggedTexts.of(source).stream()).toList();
        assertThat(texts)
                .contains("Feeds resolved: …", "The database is away: …")
                .allSatisfy(text -> assertThat(RUNBOOK).contains("`" + text + "`"));
    }

    /** Where no text stands, another one does; a second place would have to be looked at here. */
    @Test
    void oneTextThatIsLoggedIsMadeElsewhere() {
        assertThat(deployed().filter(source -> source.contains("LOG::")))
                .singleElement()
                .asString()
                .contains("class FeedRegistry");
        assertThat(RUNBOOK).contains("`Feed …: no index serves these lists");
    }

    @Test
    void textsAreFoundHoweverTheyAreWritten() {
        assertThat(LoggedTexts.of("""
                        LOG.warn(NAME + " is (not) set: " + why() + ", " +
                            "so be it");
                        LOG.errorf(failure, "%s %s failed%nat %,d", request.method(), path);
                        REQUESTS
                            .infof("kept");
                        private static void tell(String what) {
                        LOG.debugf("not this");
                        """)).isEqualTo(List.of("… is (not) set: …, so be it", "… … failed at …", "kept"));
    }

    private static Stream<String> deployed() {
        try (var files = Files.walk(SOURCES)) {
            return files
                    .filter(file -> file.toString().endsWith(".java"))
                    .filter(file ->
                            !file.startsWith(SOURCES.resolve("inbox")) && !file.startsWith(SOURCES.resolve("local")))
                    .map(RunbookTest::read)
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

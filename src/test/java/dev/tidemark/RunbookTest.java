package dev.tidemark;

import static dev.tidemark.DeployedClasses.DEPLOYED;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import dev.tidemark.http.problem.ProblemCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The runbook explains every problem, and every message that the deployed code logs above debug level. */
@BesideQuarkusTests
class RunbookTest {

    private static final Path SOURCES = Path.of("src/main/java");
    private static final String RUNBOOK = read(Path.of("src/site/markdown/operations.md"));

    @ParameterizedTest
    @EnumSource(ProblemCode.class)
    void theRunbookListsEveryProblem(ProblemCode code) {
        assertThat(RUNBOOK).containsPattern("\n\\|[^|]*`" + code.wireName() + "`[^|]*\\|");
    }

    @Test
    void theRunbookListsEveryLogMessage() {
        LogMessages logged = LogMessages.in(sourcesThatLog());
        assertThat(logged.texts())
                .contains("Feeds resolved: …")
                .hasSizeGreaterThan(10)
                .allSatisfy(text -> assertThat(RUNBOOK).contains("`" + text + "`"));
        // The warnings about feeds are not literals in FeedRegistry, so they are listed below. Do the same for other
        // classes that log composed texts.
        assertThat(logged.classesThatLogComposedTexts()).containsExactly("FeedRegistry");
        assertThat(RUNBOOK)
                .contains("`Feed …: no index serves these lists")
                .contains("`Feed …: lists are read from all shards of …: …. Each page takes about 15 ms")
                .contains("`Feed …: order … seems to sort by time of last edit");
    }

    @Test
    void logMessagesAreFoundInAnyForm() {
        LogMessages logged = LogMessages.in(List.of(source("Sample", """
                import org.jboss.logging.Logger;

                class Sample {
                    private static final Logger REQUESTS = Logger.getLogger("requests");
                    private static final String NAME = "setting";

                    void logs(Exception failure, java.util.List<String> composed) {
                        REQUESTS.warn(NAME + " is (not) set: " + why() + ", " +
                            "so be it");
                        REQUESTS.errorf(failure, "%s %s failed%nat %,d", "GET", "/", 1);
                        REQUESTS
                            .infof("kept");
                        REQUESTS.info("two %s".formatted("lines"));
                        REQUESTS.debugf("not this");
                        composed.forEach(REQUESTS::warn);
                        limited("The database is unreachable: " + failure);
                    }

                    void limited(String message) {
                        REQUESTS.warn(message + " (at most once a second)");
                    }

                    String why() {
                        return "";
                    }
                }
                """)));
        assertThat(logged.texts())
                .containsExactlyInAnyOrder(
                        "… is (not) set: …, so be it",
                        "… … failed at …",
                        "kept",
                        "two …",
                        "… (at most once a second)",
                        "The database is unreachable: …");
        assertThat(logged.classesThatLogComposedTexts()).containsExactly("Sample");
    }

    private static List<JavaFileObject> sourcesThatLog() {
        return DEPLOYED.stream()
                .filter(type -> type.getDirectDependenciesFromSelf().stream()
                        .anyMatch(dependency -> dependency.getTargetClass().isEquivalentTo(Logger.class)))
                .map(RunbookTest::topLevel)
                .distinct()
                .map(type -> source(
                        type.getSimpleName(),
                        read(SOURCES.resolve(type.getName().replace('.', '/') + ".java"))))
                .toList();
    }

    private static JavaClass topLevel(JavaClass type) {
        return type.getEnclosingClass().map(RunbookTest::topLevel).orElse(type);
    }

    private static JavaFileObject source(String name, String text) {
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

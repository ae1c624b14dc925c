package dev.tidemark.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.tidemark.Slow;
import dev.tidemark.model.Model.Limit;
import dev.tidemark.model.Model.Mutant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the models of the promises, and that each promise can be broken. */
@Tag("model")
@Slow
@Isolated
class ModelIT {

    private static final Pattern STATES = Pattern.compile("(\\d+) distinct states found, 0 states left");

    @TempDir
    static Path directory;

    private static final ExecutorService THREADS =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

    @AfterAll
    static void stop() {
        THREADS.shutdownNow();
    }

    @ParameterizedTest
    @MethodSource("dev.tidemark.model.Model#all")
    void aModelHasItsProperties(Model model) throws Exception {
        int processors = Runtime.getRuntime().availableProcessors();
        Tlc tlc = new Tlc(directory, processors, "-XX:+UseParallelGC", "-Xmx1500m");
        Tlc.Result result = tlc.check(
                model.name(), Map.of(model.name(), model.spec()), with(model.constants(), model.properties()));
        assertThat(result.isViolated()).as(result.output()).isFalse();
        assertThat(result.output()).containsPattern(STATES);
        result.output()
                .lines()
                .filter(line -> STATES.matcher(line).find())
                .forEach(line -> System.out.println(model.name() + ": " + line));
    }

    @ParameterizedTest
    @MethodSource("dev.tidemark.model.Model#all")
    void aMutantBreaksEachProperty(Model model) {
        assertThat(model.mutants().stream()
                        .map(mutant -> model.property(mutant.property()))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(model.properties());
    }

    @TestFactory
    Stream<DynamicTest> aMutantBreaksItsProperty() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Model model : Model.all().toList()) {
            for (Mutant mutant : model.mutants()) {
                tests.add(violation(
                        model,
                        mutant.description(),
                        mutant.applyTo(model.spec()),
                        with(model.constants(), List.of(model.property(mutant.property())))));
            }
        }
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> aLimitIsReached() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Model model : Model.all().toList()) {
            for (Limit limit : model.limits()) {
                List<String> constants =
                        limit.constant().isEmpty() ? model.constants() : model.constantsWith(limit.constant());
                tests.add(violation(
                        model,
                        limit.predicate(),
                        model.spec(),
                        with(constants, List.of("INVARIANT " + limit.predicate()))));
            }
        }
        return tests.stream();
    }

    /** Starts TLC on another thread, so that there is a run for each processor. */
    private static DynamicTest violation(Model model, String name, String spec, List<String> config) {
        Tlc tlc = new Tlc(directory, 1, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx700m");
        Callable<Tlc.Result> check = () -> tlc.check(model.name(), Map.of(model.name(), spec), config);
        Future<Tlc.Result> result = THREADS.submit(check);
        return dynamicTest(
                model.name() + ": " + name, () -> assertThat(result.get().isViolated())
                        .as(result.get().output())
                        .isTrue());
    }

    private static List<String> with(List<String> constants, List<String> properties) {
        return Stream.concat(constants.stream(), properties.stream()).toList();
    }
}

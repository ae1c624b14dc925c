package dev.tidemark.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.Seed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lets TLC judge whether a model has a behavior with the history of a real run. */
public final class Trace {

    private Trace() {}

    /** Makes a history. */
    public interface Run {

        /** @param number of the run, from 0 */
        List<JsonObject> follow(int number, Random random) throws Exception;
    }

    /**
     * Lets the model judge histories. It must accept each, and reject it with one step altered. The module that reads
     * the history of the model {@code M} is {@code MTrace}.
     *
     * @param directory the directory for the files; each history is written to one, with a line of JSON for each step
     * @param constants the values of the constants of the model
     * @param run makes a history, whose steps have numbers, booleans, texts, and arrays of numbers
     * @param alter returns a history that differs in one step
     */
    public static void judge(
            Path directory,
            String model,
            String constants,
            int runs,
            Run run,
            BiFunction<List<JsonObject>, Random, List<JsonObject>> alter)
            throws Exception {
        for (int number = 0; number < runs; number++) {
            long seed = Seed.next();
            List<JsonObject> history = run.follow(number, new Random(seed));
            Files.write(
                    directory.resolve(model + "-" + number + ".jsonl"),
                    history.stream().map(JsonObject::encode).toList());
            assertThat(isAccepted(directory, model, history, constants))
                    .as("seed %d: %s", seed, history)
                    .isTrue();
            List<JsonObject> altered = alter.apply(history, new Random(seed));
            assertThat(isAccepted(directory, model, altered, constants))
                    .as("seed %d, altered: %s", seed, altered)
                    .isFalse();
        }
    }

    private static boolean isAccepted(Path directory, String model, List<JsonObject> history, String constants)
            throws IOException, InterruptedException {
        Path models = Path.of("src", "model");
        String trace = model + "Trace";
        String steps = history.stream().map(Trace::toTla).collect(Collectors.joining(",\n"));
        return new Tlc(directory, 1, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx500m")
                .check(
                        trace,
                        Map.of(
                                trace,
                                Files.readString(models.resolve(trace + ".tla")),
                                model,
                                Files.readString(models.resolve(model + ".tla")),
                                "History",
                                "---- MODULE History ----\nEXTENDS Integers\nSteps == <<" + steps + ">>\n====\n"),
                        List.of("INIT TraceInit", "NEXT TraceNext", "CONSTANTS " + constants, "INVARIANT IsRejected"))
                .isViolated();
    }

    /** Writes a set of numbers in TLA+. */
    public static String set(int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", ", "{", "}"));
    }

    /** Writes a step as a record of TLA+. */
    private static String toTla(JsonObject step) {
        return step.stream()
                .map(member -> member.getKey() + " |-> "
                        + (member.getValue() instanceof JsonArray array
                                ? "<<" + array.stream().map(Object::toString).collect(Collectors.joining(", ")) + ">>"
                                : member.getValue() instanceof String text
                                        ? '"' + text + '"'
                                        : member.getValue().toString().toUpperCase(Locale.ROOT)))
                .collect(Collectors.joining(", ", "[", "]"));
    }
}

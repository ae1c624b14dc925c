package dev.tidemark.model;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lets TLC judge whether a model has a behavior with the history of a real run. */
public final class Trace {

    private Trace() {}

    /**
     * Returns whether the model has a behavior with this history. The module that reads the history of the model {@code M}
     * is {@code MTrace}.
     *
     * @param directory the directory for the files
     * @param history its steps, of which each member is a number, a boolean, a text, or an array of numbers
     * @param constants the values of the constants of the model
     */
    public static boolean isAccepted(Path directory, String model, List<JsonObject> history, String constants)
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

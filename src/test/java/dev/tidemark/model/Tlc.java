package dev.tidemark.model;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs TLC, the model checker of TLA+, in a process of its own: it has static state. */
final class Tlc {

    /** The exit codes of TLC. */
    private static final int SUCCESS = 0;

    private static final int SAFETY_VIOLATED = 12;
    private static final int LIVENESS_VIOLATED = 13;

    private final Path directory;
    private final List<String> jvmOptions;
    private final int workers;

    /**
     * @param directory the directory for the files of each run
     * @param workers the number of threads of a run
     */
    Tlc(Path directory, int workers, String... jvmOptions) {
        this.directory = directory;
        this.workers = workers;
        this.jvmOptions = List.of(jvmOptions);
    }

    /**
     * What TLC found.
     *
     * @param isViolated whether a property is violated; otherwise, all of them hold
     * @param output TLC's output, with the trace to a state that violates a property
     */
    record Result(boolean isViolated, String output) {}

    /**
     * Checks a module.
     *
     * @param name the name of the module
     * @param modules the texts of this module and of those that it extends, by name
     * @param config the lines of the configuration
     */
    Result check(String name, Map<String, String> modules, List<String> config)
            throws IOException, InterruptedException {
        Path run = Files.createTempDirectory(directory, name);
        for (Map.Entry<String, String> module : modules.entrySet()) {
            Files.writeString(run.resolve(module.getKey() + ".tla"), module.getValue());
        }
        Files.write(run.resolve(name + ".cfg"), config);
        Path output = run.resolve("output");
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xss16m"));
        command.addAll(jvmOptions);
        // The modules of the standard library are unpacked to the directory for temporary files.
        command.add("-Djava.io.tmpdir=" + run);
        command.addAll(List.of("-cp", jar(), "tlc2.TLC", "-deadlock", "-nowarning", "-cleanup", "-workers"));
        command.addAll(List.of(Integer.toString(workers), "-config", name + ".cfg", name + ".tla"));
        Process tlc = new ProcessBuilder(command)
                .directory(run.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!tlc.waitFor(10, TimeUnit.MINUTES)) {
                throw new IllegalStateException(name + " took more than 10 minutes");
            }
        } finally {
            tlc.destroyForcibly();
        }
        String text = Files.readString(output, StandardCharsets.UTF_8);
        return switch (tlc.exitValue()) {
            case SUCCESS -> new Result(false, text);
            case SAFETY_VIOLATED, LIVENESS_VIOLATED -> new Result(true, text);
            default -> throw new IllegalStateException("TLC failed for " + name + ":\n" + text);
        };
    }

    private static String jar() {
        try {
            return Path.of(Class.forName("tlc2.TLC")
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (ReflectiveOperationException | java.net.URISyntaxException e) {
            throw new IllegalStateException("TLC is not on the class path", e);
        }
    }
}

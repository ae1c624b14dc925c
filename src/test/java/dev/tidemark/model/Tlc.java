package dev.tidemark.model;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tlc2.TLC;
import tlc2.TLCGlobals;

/** Runs TLC, the model checker of TLA+, in a process of its own: it has static state. */
final class Tlc {

    /** The exit codes of TLC. */
    private static final int SUCCESS = 0;

    private static final int SAFETY_VIOLATED = 12;
    private static final int LIVENESS_VIOLATED = 13;

    /** The longest run has taken a minute and a half while other tests used the machine. */
    private static final int LONGEST_MINUTES = 10;

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
        String classes = locationOf(TLC.class) + File.pathSeparator + locationOf(Tlc.class);
        command.addAll(List.of("-cp", classes, Tlc.class.getName(), "-deadlock", "-nowarning", "-cleanup"));
        // No checkpoints, see main.
        command.addAll(List.of("-checkpoint", "0", "-workers"));
        command.addAll(List.of(Integer.toString(workers), "-config", name + ".cfg", name + ".tla"));
        ProcessBuilder start = new ProcessBuilder(command)
                .directory(run.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        Process tlc = start.start();
        if (!hasEnded(tlc)) {
            throw new IllegalStateException(name + " took more than " + LONGEST_MINUTES + " minutes");
        }
        String text = Files.readString(output, StandardCharsets.UTF_8);
        return switch (tlc.exitValue()) {
            case SUCCESS -> new Result(false, text);
            case SAFETY_VIOLATED, LIVENESS_VIOLATED -> new Result(true, text);
            default -> throw new IllegalStateException("TLC failed for " + name + ":\n" + text);
        };
    }

    /** Waits until TLC has ended. If it takes too long, prints what its threads do, and kills it. */
    private static boolean hasEnded(Process tlc) throws IOException, InterruptedException {
        try {
            boolean ended = tlc.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES);
            if (!ended) {
                String jcmd = System.getProperty("java.home") + "/bin/jcmd";
                new ProcessBuilder(jcmd, Long.toString(tlc.pid()), "Thread.print")
                        .inheritIO()
                        .start()
                        .waitFor(1, TimeUnit.MINUTES);
            }
            return ended;
        } finally {
            tlc.destroyForcibly();
        }
    }

    /**
     * The process. Now and then, TLC suspends its workers to check liveness for the states found so far, or to write a
     * checkpoint. It then misses a worker that stops just before it waits for it, and waits for ever
     * (tlaplus/tlaplus#1438). So it must never suspend workers: no run writes a checkpoint, and liveness is only
     * checked at the end, for all states.
     */
    public static void main(String[] arguments) throws Exception {
        // The share of the time that checking liveness may take before the end. The share so far is at least 0.
        TLCGlobals.livenessRatio = -1;
        TLC.main(arguments);
    }

    private static String locationOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}

package dev.tidemark.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A TLA+ module of {@code src/model} with its configuration, which names its properties, and its mutants.
 *
 * @param name the name of the module
 * @param spec the text of the module
 * @param constants the lines of the configuration other than the properties
 * @param properties the properties, each as a line of a configuration, such as {@code INVARIANT NoRepeat}
 * @param mutants edits of the module that each break a property
 * @param limits the states that must be reachable
 */
record Model(
        String name,
        String spec,
        List<String> constants,
        List<String> properties,
        List<Mutant> mutants,
        List<Limit> limits) {

    private static final Path DIRECTORY = Path.of("src", "model");

    /**
     * An edit of a module.
     *
     * @param property the name of the property that it breaks
     */
    record Mutant(String property, String description, List<Replacement> replacements) {

        /** Returns the edited text. Fails unless the text contains everything that is replaced exactly once. */
        String applyTo(String spec) {
            String edited = spec;
            for (Replacement replacement : replacements) {
                int at = edited.indexOf(replacement.before());
                if (at < 0 || at != edited.lastIndexOf(replacement.before())) {
                    throw new IllegalStateException(
                            description + ": the module must contain this once: " + replacement.before());
                }
                edited = edited.replace(replacement.before(), replacement.after());
            }
            return edited;
        }
    }

    record Replacement(String before, String after) {}

    /**
     * A limit of a promise: a state in which the predicate is false.
     *
     * @param constant a constant with the value that it has for this limit; empty if all constants are as usual
     */
    record Limit(String predicate, String constant) {}

    static Stream<Model> all() throws IOException {
        List<Path> specs;
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            specs = files.filter(file -> file.toString().endsWith(".mutants"))
                    .sorted()
                    .toList();
        }
        List<Model> models = new ArrayList<>();
        for (Path mutants : specs) {
            models.add(read(mutants.getFileName().toString().replace(".mutants", "")));
        }
        return models.stream();
    }

    private static Model read(String name) throws IOException {
        List<String> constants = new ArrayList<>();
        List<String> properties = new ArrayList<>();
        for (String line : Files.readAllLines(DIRECTORY.resolve(name + ".cfg"))) {
            String kind = line.startsWith("INVARIANTS ") ? "INVARIANT " : "PROPERTY ";
            if (line.startsWith("INVARIANTS ") || line.startsWith("PROPERTIES ")) {
                Arrays.stream(line.split(" ")).skip(1).forEach(property -> properties.add(kind + property));
            } else {
                constants.add(line);
            }
        }
        List<Mutant> mutants = new ArrayList<>();
        List<Limit> limits = new ArrayList<>();
        for (String line : Files.readAllLines(DIRECTORY.resolve(name + ".mutants"))) {
            if (line.startsWith("limit ")) {
                String[] parts = line.substring("limit ".length()).split(" with ");
                limits.add(new Limit(parts[0], parts.length > 1 ? parts[1] : ""));
            } else if (line.startsWith("- ")) {
                mutants.get(mutants.size() - 1).replacements().add(new Replacement(line.substring(2), ""));
            } else if (line.startsWith("+ ")) {
                List<Replacement> replacements = mutants.get(mutants.size() - 1).replacements();
                int last = replacements.size() - 1;
                replacements.set(last, new Replacement(replacements.get(last).before(), line.substring(2)));
            } else if (!line.isEmpty()) {
                String[] parts = line.split(": ", 2);
                mutants.add(new Mutant(parts[0], parts[1], new ArrayList<>()));
            }
        }
        return new Model(
                name, Files.readString(DIRECTORY.resolve(name + ".tla")), constants, properties, mutants, limits);
    }

    /** Returns the line of the configuration that names this property. */
    String property(String property) {
        return properties.stream()
                .filter(line -> line.endsWith(" " + property))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(name + " has no property " + property));
    }

    /** Returns the name, which is shown as the name of a test. */
    @Override
    public String toString() {
        return name;
    }

    /** Returns the constants, one of them with another value. */
    List<String> constantsWith(String constant) {
        String name = constant.split(" ")[0];
        return constants.stream()
                .map(line -> line.replaceAll(name + " = (\\{[^}]*\\}|\\S+)", constant))
                .toList();
    }
}

package dev.tidemark.command;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The arguments of the process.
 *
 * @param operands what is neither the command nor an option
 */
record Arguments(Command command, Set<Option> options, List<String> operands) {

    static final String USAGE = """
            Usage:
              (no arguments)                      serve the declared feeds
              propose [schema.table ...]          write feeds.yaml for the tables and views that the role may read,
                                                  or for those that are named, to standard output
              help                                print this text

            Both use the settings of the server, such as QUARKUS_DATASOURCE_REACTIVE_URL.
            Exit status: 0, or 2 if something is wrong.
            """;

    enum Command {
        PROPOSE,
        HELP
    }

    enum Option {
        STRICT,
        JSON,
        EXPLAIN
    }

    /** @throws IllegalArgumentException if there is no such command or option; the message says so */
    static Arguments parse(String... arguments) {
        Command command = command(arguments[0]);
        Set<Option> options = EnumSet.noneOf(Option.class);
        List<String> operands = new ArrayList<>();
        for (String argument : List.of(arguments).subList(1, arguments.length)) {
            if (argument.startsWith("-")) {
                throw new IllegalArgumentException(arguments[0] + " has no option " + argument + ".");
            }
            operands.add(argument);
        }
        return new Arguments(command, options, operands);
    }

    private static Command command(String name) {
        String word = name.equals("-h") ? "help" : name.replaceFirst("^--(?=help$)", "");
        return Stream.of(Command.values())
                .filter(command -> word.equals(command.name().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no command " + name + ". Options of Java, such as -Dname=value, stand before -jar."));
    }
}

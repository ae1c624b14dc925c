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
 * @param operands the arguments that are neither the command nor options
 */
record Arguments(Command command, Set<Option> options, List<String> operands) {

    static final String USAGE = """
            Usage:
              (no arguments)                      serve the declared feeds
              propose [schema.table ...]          write feeds.yaml for the tables and views that the role may read,
                                                  or for those that are named, to standard output
              check [--strict] [--json | --sql] [--explain]
                                                  check the declared feeds against the database, as startup does
                --strict                          exit with 1 if there are warnings
                --json                            print JSON
                --sql                             print only SQL, for psql, that creates the missing indexes; the
                                                  findings go to standard error
                --explain                         print the SQL of every page with its plan
              help                                print this text

            Both commands use the settings of the server, such as QUARKUS_DATASOURCE_REACTIVE_URL.
            Exit status: 0; 1 for warnings with --strict; 2 for faults, or if the command could not be run.
            """;

    enum Command {
        PROPOSE,
        CHECK
    }

    enum Option {
        STRICT,
        JSON,
        SQL,
        EXPLAIN
    }

    /** Whether the first argument requests {@link #USAGE} instead of naming a command. */
    static boolean isHelp(String argument) {
        return Set.of("help", "--help", "-h").contains(argument);
    }

    /** @throws IllegalArgumentException if there is no such command or option; the message says so */
    static Arguments parse(String... arguments) {
        Command command = command(arguments[0]);
        Set<Option> options = EnumSet.noneOf(Option.class);
        List<String> operands = new ArrayList<>();
        for (String argument : List.of(arguments).subList(1, arguments.length)) {
            if (argument.startsWith("-")) {
                options.add(option(command, argument));
            } else if (command == Command.PROPOSE) {
                operands.add(argument);
            } else {
                throw new IllegalArgumentException(arguments[0] + " takes no argument " + argument + ".");
            }
        }
        if (options.containsAll(Set.of(Option.JSON, Option.SQL))) {
            throw new IllegalArgumentException("check prints either --json or --sql.");
        }
        return new Arguments(command, options, operands);
    }

    private static Option option(Command command, String name) {
        return Stream.of(Option.values())
                .filter(option -> command == Command.CHECK
                        && name.equals("--" + option.name().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        command.name().toLowerCase(Locale.ROOT) + " has no option " + name + "."));
    }

    private static Command command(String name) {
        return Stream.of(Command.values())
                .filter(command -> name.equals(command.name().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no command " + name + ". Put Java options, such as -Dname=value, before -jar."));
    }
}

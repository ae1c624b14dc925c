package dev.tidemark.command;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The arguments of the process.
 *
 * @param role the role that will read the proposed feeds
 * @param relations the tables and views for which {@code propose} proposes feeds; empty for all
 */
public record Arguments(Command command, Set<Option> options, String role, List<String> relations) {

    private static final String DEFAULT_ROLE = "tidemark";

    private static final String ROLE_OPTION = "--role";

    /** PostgreSQL truncates longer names. */
    private static final int MAX_ROLE_BYTES = 63;

    public static final String USAGE = """
            Usage:
              (no arguments)                      serve the declared feeds
              propose [--role NAME] [schema.table ...]
                                                  write feeds.yaml to standard output, for the named tables and views,
                                                  or for all that the current database role may read
                --role NAME                       the role in the grants at the end of the file; default: tidemark
              check [--strict] [--json | --sql] [--explain]
                                                  check the declared feeds against the database, as startup does
                --strict                          exit with 1 if there are warnings
                --json                            print JSON
                --sql                             print only SQL, for psql, that creates the missing indexes; the
                                                  findings go to standard error
                --explain                         print the SQL of every kind of page and count, with its plan
              help                                print this text

            propose and check use the settings of the server, such as QUARKUS_DATASOURCE_REACTIVE_URL.
            Exit status: 0; 1 for warnings with --strict; 2 for faults, or if the command could not be run.
            """;

    /** What the process does instead of serving. */
    public enum Command {
        PROPOSE,
        CHECK
    }

    /** An option of {@code check}. */
    public enum Option {
        STRICT,
        JSON,
        SQL,
        EXPLAIN
    }

    /** Whether the first argument requests {@link #USAGE} instead of a command. */
    public static boolean isHelp(String argument) {
        return Set.of("help", "--help", "-h").contains(argument);
    }

    /** @throws IllegalArgumentException if the arguments are invalid; the message contains the reason */
    public static Arguments parse(String... arguments) {
        Command command = command(arguments[0]);
        Set<Option> options = EnumSet.noneOf(Option.class);
        List<String> relations = new ArrayList<>();
        String role = DEFAULT_ROLE;
        for (Iterator<String> rest = Stream.of(arguments).skip(1).iterator(); rest.hasNext(); ) {
            String argument = rest.next();
            if (command == Command.PROPOSE && argument.equals(ROLE_OPTION)) {
                role = role(rest.hasNext() ? rest.next() : "");
            } else if (command == Command.PROPOSE && argument.startsWith(ROLE_OPTION + '=')) {
                role = role(argument.substring(ROLE_OPTION.length() + 1));
            } else if (argument.startsWith("-")) {
                options.add(option(command, argument));
            } else if (command == Command.PROPOSE) {
                relations.add(argument);
            } else {
                throw new IllegalArgumentException(arguments[0] + " takes no argument " + argument + ".");
            }
        }
        if (options.containsAll(Set.of(Option.JSON, Option.SQL))) {
            throw new IllegalArgumentException("check takes --json or --sql, but not both.");
        }
        return new Arguments(command, options, role, relations);
    }

    /**
     * Returns the name of the role. Rejects {@code public}, because a grant to {@code public} is a grant to every role,
     * even if the name is quoted.
     */
    private static String role(String name) {
        if (name.isEmpty()
                || name.equals("public")
                || name.getBytes(StandardCharsets.UTF_8).length > MAX_ROLE_BYTES
                || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(ROLE_OPTION
                    + " needs the name of a role exactly as in pg_roles, without quotes. public is not a role.");
        }
        return name;
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

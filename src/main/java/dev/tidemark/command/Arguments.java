package dev.tidemark.command;

import dev.tidemark.propose.Selection;
import io.quarkus.runtime.configuration.DurationConverter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
 * @param keyTimeout the statement timeout of the query that verifies a key
 * @param role the role that will read the proposed feeds
 * @param selection the tables and views for which {@code propose} proposes feeds
 */
public record Arguments(Command command, Set<Option> options, Duration keyTimeout, String role, Selection selection) {

    private static final String DEFAULT_ROLE = "tidemark";

    private static final Duration DEFAULT_KEY_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration MAX_KEY_TIMEOUT = Duration.ofHours(24);

    private static final String ROLE_OPTION = "--role";
    private static final String SCHEMA_OPTION = "--schema";
    private static final String TABLES_OPTION = "--tables";

    /** The options of {@code propose}, each of which has a value. */
    private static final List<String> PROPOSE_OPTIONS = List.of(ROLE_OPTION, SCHEMA_OPTION, TABLES_OPTION);

    /** PostgreSQL truncates longer names. */
    private static final int MAX_ROLE_BYTES = 63;

    public static final String USAGE = """
            Usage:
              (no arguments)                      serve the declared feeds
              propose [--role NAME] [--schema NAME] [--tables NAME,...] [schema.table ...]
                                                  write feeds.yaml to standard output, for the named tables and views,
                                                  or for all that the current database role may read
                --schema NAME                     only tables and views in this schema; can be repeated
                --tables NAME,...                 the same as the names without an option; * and ? are wildcards
                --role NAME                       the role in the grants at the end of the file; default: tidemark
              check [--strict] [--json | --sql] [--explain] [--verify-keys[=TIME]]
                                                  check the declared feeds against the database, as startup does
                --strict                          exit with 1 if there are warnings
                --json                            print JSON
                --sql                             print only SQL, for psql, that creates the missing indexes; the
                                                  findings go to standard error
                --verify-keys[=TIME]              check with a query over all rows that the declared key of a view
                                                  identifies them; TIME limits each query, such as 10m; default: 1m
                --explain                         print the SQL of a page by each order and filter, with its plan
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
        EXPLAIN,
        VERIFY_KEYS;

        private String text() {
            return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
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
        List<String> schemas = new ArrayList<>();
        String role = DEFAULT_ROLE;
        Duration keyTimeout = DEFAULT_KEY_TIMEOUT;
        for (Iterator<String> rest = Stream.of(arguments).skip(1).iterator(); rest.hasNext(); ) {
            String argument = rest.next();
            String name = argument.split("=", 2)[0];
            if (command == Command.PROPOSE && PROPOSE_OPTIONS.contains(name)) {
                String value = argument.length() > name.length()
                        ? argument.substring(name.length() + 1)
                        : rest.hasNext() ? rest.next() : "";
                switch (name) {
                    case ROLE_OPTION -> role = role(value);
                    case SCHEMA_OPTION -> schemas.addAll(names(name, value));
                    default -> relations.addAll(names(name, value));
                }
            } else if (command == Command.CHECK && argument.startsWith(Option.VERIFY_KEYS.text() + "=")) {
                options.add(Option.VERIFY_KEYS);
                keyTimeout = duration(argument.substring(name.length() + 1));
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
        return new Arguments(command, options, keyTimeout, role, new Selection(relations, schemas));
    }

    private static Duration duration(String text) {
        try {
            Duration duration = DurationConverter.parseDuration(text);
            if (duration != null && duration.toMillis() > 0 && duration.compareTo(MAX_KEY_TIMEOUT) <= 0) {
                return duration;
            }
        } catch (IllegalArgumentException | ArithmeticException malformed) {
            // The message below says what is expected.
        }
        throw new IllegalArgumentException(
                Option.VERIFY_KEYS.text() + " needs a time of up to 24h, such as 30s or 10m, but got " + text + ".");
    }

    /**
     * Returns the names in the value of an option, of which there must be one, so that nothing is proposed by mistake.
     */
    private static List<String> names(String option, String value) {
        List<String> names = value.startsWith("-") ? List.of() : Selection.split(value);
        if (names.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a name, or several separated by commas.");
        }
        return names;
    }

    /**
     * Returns the name of the role. Rejects {@code public}, because a grant to {@code public} is a grant to every
     * role, even if the name is quoted.
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
                .filter(option -> command == Command.CHECK && name.equals(option.text()))
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

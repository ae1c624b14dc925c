package dev.tidemark.command;

import io.quarkus.runtime.annotations.CommandLineArguments;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Runs the command, if there is one, early during startup: the database client is configured, but no feed is resolved,
 * no port is open, and no work runs in the background.
 */
@Singleton
public final class CommandRunner {

    /**
     * The default time that a command waits for the database. It is short, because a user waits for the result. A
     * pipeline that also starts the database can set a longer time.
     */
    static final Duration DEFAULT_START_TIMEOUT = Duration.ofSeconds(2);

    private final String[] arguments;
    private final Provider<ProposeCommand> propose;
    private final Provider<CheckCommand> check;

    CommandRunner(
            @CommandLineArguments String[] arguments, Provider<ProposeCommand> propose, Provider<CheckCommand> check) {
        this.arguments = arguments;
        this.propose = propose;
        this.check = check;
    }

    /** @throws CommandExitException after the command, if there is one; it ends the startup */
    public void run() {
        if (arguments.length > 0) {
            // YAML, JSON, and SQL are in UTF-8, independent of the locale.
            PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
            int status = run(Arguments.parse(arguments), out, System.err);
            out.flush();
            throw new CommandExitException(status);
        }
    }

    /**
     * Runs a command.
     *
     * @return the exit status
     * @throws ConfigurationException if the command cannot be run; the message contains the reason
     */
    int run(Arguments parsed, PrintStream out, PrintStream err) {
        return switch (parsed.command()) {
            case PROPOSE -> propose.get().run(parsed.selection(), parsed.role(), out);
            case CHECK -> check.get().run(parsed.options(), parsed.keyTimeout(), out, err);
        };
    }
}

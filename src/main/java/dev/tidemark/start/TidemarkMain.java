package dev.tidemark.start;

import dev.tidemark.command.Arguments;
import dev.tidemark.command.Arguments.Command;
import dev.tidemark.command.CommandExitException;
import dev.tidemark.framework.Lifecycle;
import dev.tidemark.framework.UnmappedConfig;
import dev.tidemark.settings.ConfigFiles;
import io.quarkus.bootstrap.logging.InitialConfigurator;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusBindException;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.util.ExceptionUtil;
import java.io.PrintStream;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Starts the server, or runs a command if there are arguments.
 *
 * <p>The arguments are parsed without a library: for two commands and a few options, picocli would add 400 kB to the
 * package, and its integration in Quarkus runs a command only after the whole application, with its ports, has
 * started.
 */
@QuarkusMain
public class TidemarkMain {

    private static final String LOCATIONS = "quarkus.config.locations";

    /** Runs until the server is stopped, or until the command has ended. */
    public static void main(String... arguments) {
        boolean isServer = arguments.length == 0;
        if (!isServer && Arguments.isHelp(arguments[0])) {
            System.out.print(Arguments.USAGE);
            return;
        }
        String locations = System.getProperty(LOCATIONS, System.getenv().getOrDefault("QUARKUS_CONFIG_LOCATIONS", ""));
        Optional<String> readable = check(arguments, locations, System.getenv().keySet(), Path.of(""), System.err);
        if (readable.isEmpty()) {
            System.exit(isServer ? 1 : CommandExitException.FAULTS);
            return;
        }
        if (isServer) {
            Quarkus.run(null, TidemarkMain::exitServer);
            return;
        }
        if (Arguments.parse(arguments).command() == Command.PROPOSE) {
            System.setProperty(LOCATIONS, readable.get());
        }
        // Standard output is reserved for the result, so the log goes to standard error, in plain text.
        System.setProperty("quarkus.log.console.stderr", "true");
        System.setProperty("quarkus.log.console.json.enabled", "false");
        System.setProperty("quarkus.log.category.\"io.quarkus\".level", "WARN");
        // A command opens no port. Without these settings, PortCheck would fail if a running server uses the ports.
        System.setProperty("quarkus.http.host-enabled", "false");
        System.setProperty("quarkus.management.host-enabled", "false");
        // A command has no connections that could be drained.
        System.setProperty("quarkus.shutdown.delay", "0s");
        Quarkus.run(null, TidemarkMain::exitCommand, arguments);
    }

    /**
     * Checks, and prints to {@code err}, what the framework would ignore, or would report with a stack trace.
     *
     * <p>The command {@code propose} ignores configured files that have faults, because it does not read declarations,
     * and often writes one of these files. For example, an interrupted {@code propose > feeds.yaml} can leave half of
     * the file.
     *
     * @param locations of the configured files, separated by commas
     * @param variables the names of the environment variables
     * @return the locations that the framework must read; empty if there are faults
     */
    static Optional<String> check(
            String[] arguments, String locations, Set<String> variables, Path workingDirectory, PrintStream err) {
        String readable = locations;
        try {
            if (arguments.length > 0 && Arguments.parse(arguments).command() == Command.PROPOSE) {
                ConfigFiles.faults(locations).forEach(fault -> err.println("Ignored: " + fault));
                readable = ConfigFiles.withoutFaults(locations);
            }
        } catch (IllegalArgumentException invalid) {
            err.print(invalid.getMessage() + "\n\n" + Arguments.USAGE);
            return Optional.empty();
        }
        List<String> faults = Stream.of(
                        ConfigFiles.faults(readable),
                        ConfigFiles.faultsInWorkingDirectory(workingDirectory),
                        Mappings.SETTINGS.unknownVariables(variables))
                .flatMap(List::stream)
                .toList();
        print(faults, err);
        return faults.isEmpty() ? Optional.of(readable) : Optional.empty();
    }

    private static void print(List<String> faults, PrintStream err) {
        faults.forEach(fault -> err.println("Tidemark cannot start: " + fault));
    }

    /**
     * Reports a failure before the default handler ends the process. For a rejected setting, that handler alone would
     * print only the framework's own message.
     */
    private static void exitServer(int status, @Nullable Throwable failure) {
        if (failure != null) {
            report(failure, System.err);
        }
        // In dev mode, this does not end the process.
        Lifecycle.exit(status, failure);
    }

    private static void exitCommand(int defaultStatus, @Nullable Throwable failure) {
        System.exit(failure == null ? defaultStatus : commandStatus(failure, System.err));
    }

    /**
     * Returns the exit status of a command, and prints the reason if the command could not run. The default handler
     * would report a failed startup, because a command ends by throwing {@link CommandExitException}.
     */
    static int commandStatus(Throwable failure, PrintStream err) {
        if (ExceptionUtil.getRootCause(failure) instanceof CommandExitException exit) {
            return exit.status();
        }
        report(failure, err);
        return CommandExitException.FAULTS;
    }

    private static void report(Throwable failure, PrintStream err) {
        Throwable cause = ExceptionUtil.getRootCause(failure);
        List<String> rejected = Mappings.SETTINGS.describe(failure, UnmappedConfig::read);
        if (cause instanceof QuarkusBindException bindFailure) {
            err.println(
                    QuarkusBindException.isKnownHost(bindFailure.getHost())
                            ? PortInUse.describe(bindFailure, ConfigProvider.getConfig())
                            : "Tidemark cannot listen at " + bindFailure.getHost() + ':' + bindFailure.getPort() + ": "
                                    + bindFailure.getMessage());
        } else if (cause instanceof UnknownHostException) {
            err.println("Tidemark cannot listen at " + cause.getMessage());
        } else if (!rejected.isEmpty()) {
            print(rejected, err);
        } else if (cause instanceof ConfigurationException) {
            err.println(cause.getMessage());
        } else if (!InitialConfigurator.DELAYED_HANDLER.isActivated()) {
            // The configuration could not be read, so the log is not configured, and log messages would be lost.
            failure.printStackTrace(err);
        } else {
            // A static logger would initialize the log manager before Quarkus has chosen one.
            Logger.getLogger(TidemarkMain.class).error("Failed to start application", failure);
        }
    }
}

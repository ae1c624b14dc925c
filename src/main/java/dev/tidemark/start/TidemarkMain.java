package dev.tidemark.start;

import dev.tidemark.command.Arguments;
import dev.tidemark.command.Arguments.Command;
import dev.tidemark.command.CommandExitException;
import dev.tidemark.framework.Lifecycle;
import dev.tidemark.settings.ConfigFiles;
import io.quarkus.bootstrap.logging.InitialConfigurator;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusBindException;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.configuration.ConfigUtils;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.util.ExceptionUtil;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Starts the server, or runs a command if there are arguments.
 *
 * <p>The arguments are parsed without a library: for two commands and a few options, picocli would add 400 kB to the
 * package, and its integration in Quarkus runs a command only after the whole application, with its ports, has started.
 */
@QuarkusMain
public class TidemarkMain {

    private static final String LOCATIONS = "quarkus.config.locations";

    /** Runs until the server is stopped, or until the command has ended. */
    public static void main(String... arguments) {
        if (arguments.length == 0) {
            exitOn(faultsOfSettings(), 1);
            Quarkus.run(null, TidemarkMain::exitServer);
            return;
        }
        if (Arguments.isHelp(arguments[0])) {
            System.out.print(Arguments.USAGE);
            return;
        }
        try {
            if (Arguments.parse(arguments).command() == Command.PROPOSE) {
                ignoreDeclarations();
            }
        } catch (IllegalArgumentException invalid) {
            System.err.print(invalid.getMessage() + "\n\n" + Arguments.USAGE);
            System.exit(CommandExitException.FAULTS);
        }
        exitOn(faultsOfSettings(), CommandExitException.FAULTS);
        // Standard output is reserved for the result, so the log goes to standard error, in plain text.
        System.setProperty("quarkus.log.console.stderr", "true");
        System.setProperty("quarkus.log.console.json.enabled", "false");
        System.setProperty("quarkus.log.category.\"io.quarkus\".level", "WARN");
        // A command opens no port. Without this setting, ManagementPortCheck would fail if a running server uses the
        // management port.
        System.setProperty("quarkus.management.host-enabled", "false");
        // A command has no connections that could be drained.
        System.setProperty("quarkus.shutdown.delay", "0s");
        Quarkus.run(null, TidemarkMain::exitCommand, arguments);
    }

    private static String locations() {
        return System.getProperty(LOCATIONS, System.getenv().getOrDefault("QUARKUS_CONFIG_LOCATIONS", ""));
    }

    /**
     * Ignores configured files that contain only declarations or have faults, because a fault could make the command
     * fail. For example, {@code propose > feeds.yaml} could fail if feeds.yaml, which is still empty then, is a
     * configured file.
     */
    private static void ignoreDeclarations() {
        ConfigFiles.faults(locations()).forEach(fault -> System.err.println("Ignored: " + fault));
        System.setProperty(LOCATIONS, ConfigFiles.withoutDeclarations(locations()));
    }

    /** Returns the faults that the framework would ignore, or would report with a stack trace. */
    private static List<String> faultsOfSettings() {
        return Stream.of(
                        ConfigFiles.faults(locations()),
                        ConfigFiles.faultsInWorkingDirectory(),
                        Mappings.SETTINGS.unknownVariables(System.getenv().keySet()))
                .flatMap(List::stream)
                .toList();
    }

    private static void exitOn(List<String> faults, int status) {
        if (!faults.isEmpty()) {
            print(faults);
            System.exit(status);
        }
    }

    private static void print(List<String> faults) {
        faults.forEach(fault -> System.err.println("Tidemark cannot start: " + fault));
    }

    /**
     * Reports a failure before the default handler ends the process. For a rejected setting, that handler alone would
     * print only the framework's own message.
     */
    private static void exitServer(int status, @Nullable Throwable failure) {
        if (failure != null) {
            report(failure);
        }
        // In dev mode, this does not end the process.
        Lifecycle.exit(status, failure);
    }

    /**
     * The default handler would report a failed startup, because a command ends by throwing
     * {@link CommandExitException}.
     */
    private static void exitCommand(int defaultStatus, @Nullable Throwable failure) {
        int status = defaultStatus;
        if (failure != null && ExceptionUtil.getRootCause(failure) instanceof CommandExitException exit) {
            status = exit.status();
        } else if (failure != null) {
            status = CommandExitException.FAULTS;
            report(failure);
        }
        System.exit(status);
    }

    private static void report(Throwable failure) {
        Throwable cause = ExceptionUtil.getRootCause(failure);
        List<String> rejected = Mappings.SETTINGS.describe(
                failure, () -> ConfigUtils.configBuilder().build());
        if (cause instanceof QuarkusBindException bindFailure) {
            System.err.println(
                    QuarkusBindException.isKnownHost(bindFailure.getHost())
                            ? "Port " + bindFailure.getPort() + " seems to be in use by another process"
                            : "Tidemark cannot listen at " + bindFailure.getHost() + ':' + bindFailure.getPort() + ": "
                                    + bindFailure.getMessage());
        } else if (cause instanceof UnknownHostException) {
            System.err.println("Tidemark cannot listen at " + cause.getMessage());
        } else if (!rejected.isEmpty()) {
            print(rejected);
        } else if (cause instanceof ConfigurationException) {
            System.err.println(cause.getMessage());
        } else if (!InitialConfigurator.DELAYED_HANDLER.isActivated()) {
            // The configuration could not be read, so the log is not configured, and log messages would be lost.
            failure.printStackTrace();
        } else {
            // A static logger would initialize the log manager before Quarkus has chosen one.
            Logger.getLogger(TidemarkMain.class).error("Failed to start application", failure);
        }
    }
}

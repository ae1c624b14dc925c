package dev.tidemark.command;

import dev.tidemark.settings.ConfigFiles;
import dev.tidemark.settings.EnvironmentNames;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.util.ExceptionUtil;
import io.smallrye.config.ConfigValidationException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Starts the server, or runs a command if there are arguments.
 *
 * <p>The arguments are parsed without a library: for two commands and three options, picocli would add 400 kB to the
 * package, and its integration in Quarkus runs a command only after the whole application, with its ports, has started.
 */
@QuarkusMain
public class TidemarkMain {

    /** Runs until stopped, or until the command has ended. */
    public static void main(String... arguments) {
        List<String> faults = faultsOfSettings();
        if (!faults.isEmpty()) {
            faults.forEach(fault -> System.err.println("Tidemark cannot start: " + fault));
            System.exit(arguments.length == 0 ? 1 : CommandEnded.FAULTS);
        }
        if (arguments.length == 0) {
            Quarkus.run();
            return;
        }
        if (Arguments.isHelp(arguments[0])) {
            System.out.print(Arguments.USAGE);
            return;
        }
        try {
            Arguments.parse(arguments);
        } catch (IllegalArgumentException invalid) {
            System.err.print(invalid.getMessage() + "\n\n" + Arguments.USAGE);
            System.exit(CommandEnded.FAULTS);
        }
        // Standard output is reserved for the result, so the log goes to standard error, in plain text.
        System.setProperty("quarkus.log.console.stderr", "true");
        System.setProperty("quarkus.log.console.json.enabled", "false");
        System.setProperty("quarkus.log.category.\"io.quarkus\".level", "WARN");
        // The command ends before the ports would be opened; this one is probed even earlier.
        System.setProperty("quarkus.management.host-enabled", "false");
        Quarkus.run(null, TidemarkMain::exit, arguments);
    }

    /** What the framework ignores, or reports with a stack trace. */
    private static List<String> faultsOfSettings() {
        String locations = System.getProperty(
                "quarkus.config.locations", System.getenv().getOrDefault("QUARKUS_CONFIG_LOCATIONS", ""));
        return Stream.concat(
                        ConfigFiles.faults(locations).stream(),
                        EnvironmentNames.faults(System.getenv().keySet()).stream())
                .toList();
    }

    /** Replaces Quarkus' default handler, which would log the end of a command as a failed startup. */
    private static void exit(int code, Throwable failure) {
        int status = code;
        if (failure != null) {
            Throwable cause = ExceptionUtil.getRootCause(failure);
            status = CommandEnded.FAULTS;
            if (cause instanceof CommandEnded ended) {
                status = ended.status();
            } else if (cause instanceof ConfigurationException || cause instanceof ConfigValidationException) {
                System.err.println(cause.getMessage());
            } else {
                failure.printStackTrace();
            }
        }
        System.exit(status);
    }
}

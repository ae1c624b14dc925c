package dev.tidemark.start;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.quarkus.arc.profile.IfBuildProfile;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import org.jboss.logging.Logger;

/**
 * The options of the JVM that a deployed server should have. The sample inbox runs without them, and a native
 * executable may not know its options.
 */
@Singleton
@IfBuildProfile("prod")
final class JvmOptions {

    private static final Logger LOG = Logger.getLogger(JvmOptions.class);

    /** Warns if the process would outlive an error after which connections and requests can be left half processed. */
    void check() {
        if (!isExitingOnOutOfMemoryError()) {
            LOG.warn(
                    "The JVM option -XX:+ExitOnOutOfMemoryError is not set, so this process does not end if its heap is"
                            + " exhausted. Set it, so that the process is restarted");
        }
    }

    /** Returns also true if the JVM does not tell. */
    private static boolean isExitingOnOutOfMemoryError() {
        try {
            // A native executable does not know this interface.
            var options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            return options == null
                    || Boolean.parseBoolean(
                            options.getVMOption("ExitOnOutOfMemoryError").getValue());
        } catch (IllegalArgumentException | UnsupportedOperationException unknown) {
            return true;
        }
    }
}

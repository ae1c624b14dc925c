package dev.tidemark.http.problem;

import com.sun.management.HotSpotDiagnosticMXBean;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import org.jboss.logging.Logger;

/**
 * Whether this process ran out of memory. Afterwards, connections and requests can be left half processed, so only a
 * restart helps: the process is no longer live.
 *
 * <p>The JVM's option {@code ExitOnOutOfMemoryError} ends the process only if the heap is exhausted. If the option is
 * set, this class does the same if direct memory is exhausted, which Java code of the JDK and of Netty reports.
 */
@Singleton
public class OutOfMemory {

    private static final Logger LOG = Logger.getLogger(OutOfMemory.class);

    /** The status with which the JVM exits because of {@code ExitOnOutOfMemoryError}. */
    private static final int EXIT_STATUS = 3;

    private static final int MAX_CAUSES = 10;

    private volatile boolean occurred;

    /** Records the failure if the process ran out of memory. Otherwise, does nothing. */
    public void recordIfCauseOf(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
            if (cause instanceof OutOfMemoryError error) {
                record(error);
                return;
            }
            cause = cause.getCause();
        }
    }

    private void record(OutOfMemoryError error) {
        if (!occurred) {
            occurred = true;
            LOG.errorf("This process ran out of memory, so it is no longer live: %s", error.getMessage());
            if (isExitWanted()) {
                Runtime.getRuntime().halt(EXIT_STATUS);
            }
        }
    }

    private static boolean isExitWanted() {
        try {
            return Boolean.parseBoolean(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .getVMOption("ExitOnOutOfMemoryError")
                    .getValue());
        } catch (RuntimeException unknown) {
            // A native executable may not know its options. The orchestrator then ends it, because it is not live.
            return false;
        }
    }

    public boolean hasOccurred() {
        return occurred;
    }
}

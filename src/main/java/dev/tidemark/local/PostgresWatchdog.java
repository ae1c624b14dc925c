package dev.tidemark.local;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Locks the directory of a server for this JVM, and stops the server when the JVM has ended.
 *
 * <p>A shutdown hook is not sufficient: it does not run if the JVM is killed, and it would stop the database while
 * requests are still running. Instead, a shell process waits for the end of its standard input, which the operating
 * system closes whenever the JVM ends.
 *
 * <p>This class is a thread, so that the lock and the pipe stay reachable: in dev mode, the class loader and its
 * static fields are discarded at the first change, but a running thread is not.
 */
final class PostgresWatchdog extends Thread {

    /**
     * A script that ignores the signals that a terminal sends to all processes of a job. When standard input ends, the
     * script waits up to 10 seconds for a server that is still starting, and requests a fast shutdown. If /proc
     * exists, the script first checks that the process is PostgreSQL, because after a crash, {@code postmaster.pid}
     * can contain the id of another process.
     */
    private static final String STOP_WHEN_STDIN_ENDS = """
            trap '' HUP INT QUIT TERM
            cat >/dev/null
            for second in 1 2 3 4 5 6 7 8 9 10; do
                pid=$(head -n 1 "$1" 2>/dev/null)
                case $(cat "/proc/$pid/comm" 2>/dev/null || echo postgres) in
                    postgres*) kill -INT "$pid" 2>/dev/null && exit ;;
                esac
                sleep 1
            done
            """;

    private final FileChannel lock;
    private final Process watchdogProcess;

    private PostgresWatchdog(FileChannel lock, Process watchdogProcess) {
        super("tidemark-postgres-watchdog");
        this.lock = lock;
        this.watchdogProcess = watchdogProcess;
        setDaemon(true);
    }

    /**
     * Locks the directory and starts the watchdog, unless this JVM has already done so. Fails if another process has
     * locked the directory.
     */
    static void lockAndStart(Path lockFile, Path data) throws IOException {
        // The flag is a system property, because static fields exist once per class loader. Locking the file again
        // would not work: on POSIX systems, closing any channel of a file releases all locks that the process has on
        // the file.
        var acquiredProperty = PostgresWatchdog.class.getName() + ":" + lockFile;
        if (System.getProperty(acquiredProperty) != null) {
            return;
        }
        var lock = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (lock.tryLock() == null) {
            lock.close();
            throw new LocalPostgresException(
                    "Another Tidemark process is using " + lockFile.getParent()
                            + ". Stop it, or set TRY_IT_POSTGRES_DIRECTORY to another directory.",
                    null);
        }
        var pidFile = data.resolve("postmaster.pid").toString();
        var watchdogProcess = new ProcessBuilder("sh", "-c", STOP_WHEN_STDIN_ENDS, "tidemark-watchdog", pidFile)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        new PostgresWatchdog(lock, watchdogProcess).start();
        System.setProperty(acquiredProperty, "true");
    }

    /** Blocks until the JVM ends. */
    @Override
    public void run() {
        try {
            watchdogProcess.waitFor();
            lock.close();
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException("The watchdog of the embedded PostgreSQL failed", e);
        }
    }
}

package dev.tidemark.local;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Holds a server's directory for this JVM, and stops the server when the JVM is gone.
 *
 * <p>A shutdown hook would not do: it does not run when the JVM is killed, and when it does run, it takes the database
 * from under requests that are being finished. Instead a small shell process waits for its standard input to end, which
 * the operating system brings about however we die.
 *
 * <p>A thread, because both the lock and the pipe would be released with the objects that hold them, and in dev mode the
 * class loader that made them is dropped at the first change. A thread's fields stay as long as it runs.
 */
final class PostgresWatchdog extends Thread {

    /**
     * Ignores the signals that a terminal sends to all processes of a job, gives a server that is only just starting some
     * seconds to appear, and asks for a fast shutdown. Where it can be seen, the process must be a PostgreSQL: a server
     * that crashed leaves its file, and its number may be another's by now.
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
    private final Process watchdog;

    private PostgresWatchdog(FileChannel lock, Process watchdog) {
        super("tidemark-local-guard");
        this.lock = lock;
        this.watchdog = watchdog;
        setDaemon(true);
    }

    /** Does nothing where this JVM holds the directory already; refuses one that another process holds. */
    static void acquire(Path lockFile, Path data) throws IOException {
        // A system property, because statics are one per class loader. Trying the lock again is no way to find out:
        // on POSIX systems, closing any channel on a file releases the locks that the process has on it.
        var acquired = PostgresWatchdog.class.getName() + ":" + lockFile;
        if (System.getProperty(acquired) != null) {
            return;
        }
        var lock = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (lock.tryLock() == null) {
            lock.close();
            throw new LocalPostgresException(
                    "Another Tidemark is using " + lockFile.getParent()
                            + ": stop it, or set TRY_IT_POSTGRES_DIRECTORY to another directory.",
                    null);
        }
        var pidFile = data.resolve("postmaster.pid").toString();
        var watchdog = new ProcessBuilder("sh", "-c", STOP_WHEN_STDIN_ENDS, "tidemark-watchdog", pidFile)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        new PostgresWatchdog(lock, watchdog).start();
        System.setProperty(acquired, "true");
    }

    /** Waits as long as the JVM lives. */
    @Override
    public void run() {
        try {
            watchdog.waitFor();
            lock.close();
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException("The guard of the embedded PostgreSQL failed", e);
        }
    }
}

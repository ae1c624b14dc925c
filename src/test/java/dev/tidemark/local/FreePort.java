package dev.tidemark.local;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses ports for processes that a test starts. A test can also start a process again on its former port.
 *
 * <p>The ports are below those that Linux, macOS and Windows assign to outgoing connections. A port from {@code new
 * ServerSocket(0)} could be assigned to a connection of another test before the process listens on it.
 */
public final class FreePort {

    private static final int LOWEST = 10_000;

    /** Linux assigns ports from 32768; macOS and Windows assign higher ones. */
    private static final int END = 32_768;

    private FreePort() {}

    /** A random port on which nothing listens. */
    public static int choose() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, END);
            if (isFree(port)) {
                return port;
            }
        }
    }

    private static boolean isFree(int port) {
        try (var free = new ServerSocket(port)) {
            return free.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}

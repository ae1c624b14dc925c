package dev.tidemark.local;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses ports for processes that cannot bind port 0. The port can be taken before such a process binds it: whoever
 * starts the process must notice that it could not bind the port, and start it again with another one.
 *
 * <p>The ports are below those that Linux, macOS and Windows assign to outgoing connections, so a process can
 * mostly have its port again after a restart.
 */
public final class FreePort {

    private static final int LOWEST = 10_000;

    /** Linux assigns ports from 32768; macOS and Windows assign higher ones. */
    private static final int END = 32_768;

    private FreePort() {}

    /** A random port on which nothing listens at the moment. */
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

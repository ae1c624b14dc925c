package dev.tidemark.framework;

import io.quarkus.runtime.Application;
import io.quarkus.runtime.ApplicationLifecycleManager;
import org.jspecify.annotations.Nullable;

/** The start and the end of the application. */
public final class Lifecycle {

    private Lifecycle() {}

    /** Whether all observers of the start have run. */
    public static boolean isStarted() {
        return Application.currentApplication().isStarted();
    }

    /** Ends the process as the framework does by default. */
    public static void exit(int status, @Nullable Throwable failure) {
        ApplicationLifecycleManager.getDefaultExitCodeHandler().accept(status, failure);
    }
}

package dev.tidemark.framework;

import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.impl.ContextInternal;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What {@link Context} lacks: actions on the context's own thread that run at once, and contexts of requests. */
public final class Contexts {

    private Contexts() {}

    /** Returns the context of the current thread; {@code null} on a thread that has none. */
    public static @Nullable Context current() {
        return ContextInternal.current();
    }

    /** Runs the action in the context. The current thread must be that of the context. */
    public static void dispatch(Context context, Runnable action) {
        ((ContextInternal) context).dispatch(action);
    }

    /** Passes the value to the consumer in the context, at once if the current thread is that of the context. */
    public static <T> void emit(Context context, T value, Consumer<T> consumer) {
        ((ContextInternal) context).emit(value, consumer::accept);
    }

    /** Whether the current thread is that of the event loop on which the context runs. */
    public static boolean isOnEventLoopOf(@Nullable Context context) {
        return context instanceof ContextInternal internal && internal.isEventLoopContext() && internal.inThread();
    }

    /** Returns the context of the event loop itself, of which the contexts of requests are duplicates. */
    public static Context rootOf(Context context) {
        return ((ContextInternal) context).unwrap();
    }

    /** Returns a promise whose handlers run in the current context, if there is one. */
    public static <T> Promise<T> promise() {
        ContextInternal context = ContextInternal.current();
        return context == null ? Promise.promise() : context.promise();
    }
}

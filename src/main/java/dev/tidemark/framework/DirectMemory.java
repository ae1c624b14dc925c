package dev.tidemark.framework;

import io.netty.util.internal.PlatformDependent;

/** The memory outside the heap. */
public final class DirectMemory {

    private DirectMemory() {}

    /** Returns the most bytes that Netty can allocate. */
    public static long maxBytes() {
        return PlatformDependent.estimateMaxDirectMemory();
    }
}

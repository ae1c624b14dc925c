package dev.tidemark.client;

import java.io.IOException;
import java.util.Optional;

/** What a process saves until it dies. */
final class MemoryStore implements KeptList.Store {

    private volatile byte[] bytes;
    private volatile boolean dead;
    volatile IOException failure;

    MemoryStore(byte[] bytes) {
        this.bytes = bytes;
    }

    MemoryStore() {
        this(null);
    }

    /** Ignores what the list saves from now on, and returns the store of the next process. */
    synchronized MemoryStore die() {
        dead = true;
        return new MemoryStore(bytes);
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public Optional<byte[]> load() throws IOException {
        throwFailure();
        return Optional.ofNullable(bytes);
    }

    @Override
    public synchronized void save(byte[] list) throws IOException {
        throwFailure();
        if (!dead) {
            bytes = list;
        }
    }

    private void throwFailure() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }
}

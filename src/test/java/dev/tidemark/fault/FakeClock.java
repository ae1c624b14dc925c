package dev.tidemark.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Sets the wall clock of one process with libfaketime. Other processes, and the monotonic clock of that process, are
 * not affected.
 */
final class FakeClock {

    private final Path library;
    private final Path file;

    FakeClock(Path library, Path directory) throws IOException {
        this.library = library;
        this.file = directory.resolve("time-of-day");
        jumpTo(Duration.ZERO);
    }

    /** The path of the library, if it is where Linux packages install it. */
    static Optional<Path> library() {
        return Stream.of("x86_64-linux-gnu/", "aarch64-linux-gnu/", "")
                .flatMap(place -> Stream.of("/usr/lib/" + place, "/usr/lib64/" + place))
                .map(place -> Path.of(place, "faketime", "libfaketimeMT.so.1"))
                .filter(Files::exists)
                .findFirst();
    }

    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME_TIMESTAMP_FILE",
                file.toString(),
                "FAKETIME_NO_CACHE",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1");
    }

    /** @param offset from the real time */
    void jumpTo(Duration offset) throws IOException {
        Path next = Files.writeString(file.resolveSibling("next-time-of-day"), "%+d".formatted(offset.toSeconds()));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}

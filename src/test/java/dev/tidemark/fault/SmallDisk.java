package dev.tidemark.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A small file system, which a test can fill completely. */
final class SmallDisk implements AutoCloseable {

    private final Path directory;
    private final Path filler;

    private SmallDisk(Path directory) {
        this.directory = directory;
        this.filler = directory.resolve("filler");
    }

    /** @return empty if this process is not allowed to mount a file system, or does not run on Linux */
    static Optional<SmallDisk> mount(Path directory, int megabytes) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        boolean isMounted = System.getProperty("os.name").equals("Linux")
                && succeeds("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", directory.toString());
        return isMounted ? Optional.of(new SmallDisk(directory)) : Optional.empty();
    }

    Path directory() {
        return directory;
    }

    /** Fills the file system completely. */
    void fill() throws IOException {
        for (byte[] bytes = new byte[1 << 20]; bytes.length > 0; bytes = new byte[bytes.length / 2]) {
            fill(bytes);
        }
    }

    private void fill(byte[] bytes) throws IOException {
        try (OutputStream out = Files.newOutputStream(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (Files.getFileStore(directory).getUsableSpace() > 0) {
                out.write(bytes);
            }
        } catch (IOException full) {
            // A smaller write may still succeed.
        }
    }

    void free() throws IOException {
        Files.deleteIfExists(filler);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (!succeeds("umount", "-l", directory.toString())) {
            throw new IOException("cannot unmount " + directory);
        }
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}

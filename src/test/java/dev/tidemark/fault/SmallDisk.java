package dev.tidemark.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A file system of so few megabytes that a test can fill it to the last byte. */
final class SmallDisk implements AutoCloseable {

    private final Path directory;
    private final Path filler;

    private SmallDisk(Path directory) {
        this.directory = directory;
        this.filler = directory.resolve("filler");
    }

    /** @return none where this process may not mount one */
    static Optional<SmallDisk> mounted(Path directory, int megabytes) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        boolean isMounted = System.getProperty("os.name").equals("Linux")
                && succeeds("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", directory.toString());
        return isMounted ? Optional.of(new SmallDisk(directory)) : Optional.empty();
    }

    Path directory() {
        return directory;
    }

    /** From now on nothing can be written to it. */
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
            // Where a smaller piece may still have room.
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

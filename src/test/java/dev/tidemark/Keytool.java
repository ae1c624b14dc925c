package dev.tidemark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes keys and certificates with the JDK's {@code keytool}. */
public final class Keytool {

    private Keytool() {}

    /**
     * @param store the name of the PKCS#12 file with the key; it is created if it does not exist
     * @param arguments for {@code keytool}, which runs in the directory
     */
    public static void run(Path directory, String store, String password, String alias, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", alias, "-keystore", store, "-storetype", "PKCS12", "-storepass", password));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IllegalStateException(output);
        }
    }
}

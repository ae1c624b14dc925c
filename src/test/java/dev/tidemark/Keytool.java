package dev.tidemark;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

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

    /** A private key in PEM form. */
    public static String privateKey(Path store, String password, String alias)
            throws IOException, GeneralSecurityException {
        byte[] key = load(store, password).getKey(alias, password.toCharArray()).getEncoded();
        return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
                + "\n-----END PRIVATE KEY-----\n";
    }

    /** A context for clients that trust the certificate of the key, and no other. */
    static SSLContext contextThatTrusts(Path store, String password, String alias)
            throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(alias, load(store, password).getCertificate(alias));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static KeyStore load(Path store, String password) throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(store.toFile(), password.toCharArray());
    }
}

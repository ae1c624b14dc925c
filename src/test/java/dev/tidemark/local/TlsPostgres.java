package dev.tidemark.local;

import dev.tidemark.Keytool;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A PostgreSQL server to which the role {@link #READER} can connect only with TLS and a password. Its certificate is
 * for {@code localhost} and is signed by an authority that was created for it.
 */
public final class TlsPostgres implements AutoCloseable {

    public static final String READER = "tls_reader";
    public static final String PASSWORD = "s3cret-word";

    private static final String STORE_PASSWORD = "changeit";

    private final Path directory;
    private final EmbeddedPostgres server;

    private TlsPostgres(Path directory, EmbeddedPostgres server) {
        this.directory = directory;
        this.server = server;
    }

    /** @param directory an empty directory for keys and data */
    public static TlsPostgres start(Path directory) throws Exception {
        makeAuthority(directory, "ca");
        makeAuthority(directory, "other");
        makeServerCertificate(directory);
        Path data = directory.resolve("data");
        EmbeddedPostgres.Builder builder = TestPostgres.builder()
                .setServerConfig("ssl", "on")
                .setServerConfig(
                        "ssl_cert_file", directory.resolve("server.pem").toString())
                .setServerConfig("ssl_key_file", directory.resolve("server.key").toString());
        EmbeddedPostgres server = TestPostgres.start(data, FreePort::choose, builder);
        TlsPostgres made = new TlsPostgres(directory, server);
        made.execute("create role " + READER + " login password '" + PASSWORD + "'");
        Files.writeString(data.resolve("pg_hba.conf"), """
                host    all postgres all trust
                hostssl all %s all scram-sha-256
                """.formatted(READER));
        made.execute("select pg_reload_conf()");
        return made;
    }

    public void execute(String sql) {
        TestPostgres.execute(port(), sql);
    }

    public int port() {
        return server.getPort();
    }

    /** The certificate of the authority that signed the server's certificate. */
    public Path authorityCertificate() {
        return directory.resolve("ca.pem");
    }

    /** The certificate of another authority. */
    public Path otherAuthorityCertificate() {
        return directory.resolve("other.pem");
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private static void makeAuthority(Path directory, String name) throws Exception {
        keytool(directory, name, "-genkeypair", "-keyalg", "EC", "-dname", "CN=" + name, "-ext", "bc:c");
        keytool(directory, name, "-exportcert", "-rfc", "-file", name + ".pem");
    }

    private static void makeServerCertificate(Path directory) throws Exception {
        keytool(directory, "server", "-genkeypair", "-keyalg", "EC", "-dname", "CN=a server");
        keytool(directory, "server", "-certreq", "-file", "server.csr");
        keytool(
                directory,
                "ca",
                "-gencert",
                "-rfc",
                "-infile",
                "server.csr",
                "-outfile",
                "server.pem",
                "-ext",
                "san=dns:localhost");
        Path key = directory.resolve("server.key");
        Files.createFile(key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, Keytool.privateKey(directory.resolve("server.p12"), STORE_PASSWORD, "server"));
    }

    /** Each key has its own store, named after it. */
    private static void keytool(Path directory, String name, String... arguments) throws Exception {
        Keytool.run(directory, name + ".p12", STORE_PASSWORD, name, arguments);
    }
}

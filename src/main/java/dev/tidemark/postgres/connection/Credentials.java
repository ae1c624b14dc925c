package dev.tidemark.postgres.connection;

import dev.tidemark.framework.Contexts;
import io.quarkus.credentials.CredentialsProvider;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * The name and password of the role, for each new connection. They are read anew each time, so a secret that was
 * replaced is used by the next connection; connections that are open keep their session.
 */
@Singleton
public final class Credentials {

    private final Optional<Path> passwordFile;
    private final Optional<Supplier<Uni<Map<String, String>>>> provider;

    @Inject
    Credentials(
            PostgresConfig config,
            @ConfigProperty(name = "quarkus.datasource.credentials-provider") Optional<String> name,
            @ConfigProperty(name = "quarkus.datasource.credentials-provider-name") Optional<String> bean,
            @Any Instance<CredentialsProvider> providers) {
        this(
                config.databasePasswordFile(),
                name.map(credentials -> () -> bean.map(named -> providers.select(NamedLiteral.of(named)))
                        .orElse(providers)
                        .get()
                        .getCredentialsAsync(credentials)));
    }

    /**
     * @param passwordFile contains the password
     * @param provider returns the properties of {@link CredentialsProvider}; has precedence over the file
     */
    public Credentials(Optional<Path> passwordFile, Optional<Supplier<Uni<Map<String, String>>>> provider) {
        this.passwordFile = passwordFile;
        this.provider = provider;
    }

    /** Whether the credentials can change. */
    boolean areRead() {
        return passwordFile.isPresent() || provider.isPresent();
    }

    /** Returns the options with the present credentials. Fails if they are not read within the time for connecting. */
    Future<PgConnectOptions> addTo(PgConnectOptions options, Vertx vertx) {
        return areRead()
                ? Future.succeededFuture()
                        .compose(started -> read(options, vertx))
                        .timeout(options.getConnectTimeout(), TimeUnit.MILLISECONDS)
                : Future.succeededFuture(options);
    }

    private Future<PgConnectOptions> read(PgConnectOptions options, Vertx vertx) {
        return provider.isPresent()
                ? provided(provider.get())
                        .map(credentials -> with(
                                options,
                                credentials.get(CredentialsProvider.USER_PROPERTY_NAME),
                                credentials.get(CredentialsProvider.PASSWORD_PROPERTY_NAME)))
                : vertx.fileSystem()
                        .readFile(passwordFile.orElseThrow().toString())
                        .map(content ->
                                with(options, null, withoutLineBreak(content.toString(StandardCharsets.UTF_8))));
    }

    private static Future<Map<String, String>> provided(Supplier<Uni<Map<String, String>>> provider) {
        Promise<Map<String, String>> promise = Contexts.promise();
        provider.get().subscribe().with(promise::tryComplete, promise::tryFail);
        return promise.future();
    }

    private static PgConnectOptions with(PgConnectOptions options, @Nullable String user, @Nullable String password) {
        PgConnectOptions changed = new PgConnectOptions(options);
        if (user != null) {
            changed.setUser(user);
        }
        if (password != null) {
            changed.setPassword(password);
        }
        return changed;
    }

    /** Most editors and tools end a file with a line break. */
    private static String withoutLineBreak(String content) {
        return content.replaceFirst("\\r?\\n\\z", "");
    }
}

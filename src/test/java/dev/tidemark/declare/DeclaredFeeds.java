package dev.tidemark.declare;

import dev.tidemark.FeedsText;
import dev.tidemark.declare.tokens.TokenSettings;
import dev.tidemark.feed.Feeds;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.source.yaml.YamlConfigSource;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Resolves feeds as the server does at its start, for tests that need no server. */
public final class DeclaredFeeds {

    private static final TokenSettings COMPLETE_TOKEN_SETTINGS = new TokenSettings(
            Optional.empty(),
            Optional.of("https://issuer.example.org/jwks"),
            Optional.of("an issuer"),
            Optional.of("an audience"),
            configurationWithKeysFrom("https://issuer.example.org/jwks"));

    private DeclaredFeeds() {}

    /** A configuration in which the keys that verify tokens are fetched from a URL. */
    public static JWTAuthContextInfo configurationWithKeysFrom(String url) {
        JWTAuthContextInfo configured = new JWTAuthContextInfo();
        configured.setPublicKeyLocation(url);
        return configured;
    }

    public static FeedCheck newFeedCheck(Catalogue catalogue) {
        return new FeedCheck(COMPLETE_TOKEN_SETTINGS, catalogue);
    }

    /** @param properties as under {@code tidemark.feeds}, such as {@code messages.table} */
    public static Feeds resolve(Catalogue catalogue, Map<String, String> properties) {
        return resolve(catalogue, properties, false);
    }

    /** @param yaml a file that declares feeds */
    public static Feeds resolveFile(Catalogue catalogue, String yaml, boolean requireIndexes) {
        try {
            Path file = Files.writeString(Files.createTempFile("feeds", ".yaml"), yaml);
            file.toFile().deleteOnExit();
            SmallRyeConfigBuilder settings = new SmallRyeConfigBuilder()
                    .withSources(new YamlConfigSource(file.toUri().toURL()));
            return resolve(catalogue, settings, requireIndexes, false, COMPLETE_TOKEN_SETTINGS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The message with which these declarations stop the start; {@code none} if they do not. */
    static String startupError(Catalogue catalogue, Map<String, String> properties) {
        try {
            resolve(catalogue, properties);
        } catch (ConfigurationException stopped) {
            return stopped.getMessage();
        }
        return "none";
    }

    public static Feeds resolve(Catalogue catalogue, Map<String, String> properties, boolean requireIndexes) {
        return resolve(catalogue, properties, requireIndexes, COMPLETE_TOKEN_SETTINGS);
    }

    static Feeds resolve(
            Catalogue catalogue, Map<String, String> properties, boolean requireIndexes, TokenSettings tokens) {
        return resolve(catalogue, settings(properties), requireIndexes, false, tokens);
    }

    static Feeds resolveRequiringAccess(Catalogue catalogue, Map<String, String> properties) {
        return resolve(catalogue, settings(properties), false, true, COMPLETE_TOKEN_SETTINGS);
    }

    private static SmallRyeConfigBuilder settings(Map<String, String> properties) {
        return new SmallRyeConfigBuilder().withDefaultValue("tidemark.feeds", FeedsText.of(properties));
    }

    private static Feeds resolve(
            Catalogue catalogue,
            SmallRyeConfigBuilder settings,
            boolean requireIndexes,
            boolean requireAccess,
            TokenSettings tokens) {
        FeedsConfig config = new FeedsConfig() {
            @Override
            public Optional<Duration> startTimeout() {
                return Optional.of(Duration.ofSeconds(5));
            }

            @Override
            public Duration recheckInterval() {
                return Duration.ofSeconds(5);
            }

            @Override
            public boolean requireIndexes() {
                return requireIndexes;
            }

            @Override
            public boolean requireAccess() {
                return requireAccess;
            }
        };
        try {
            return new FeedRegistry(config, new FeedCheck(tokens, catalogue), settings.build()).feeds();
        } catch (ConfigurationException stopped) {
            // All of the text is in one line.
            throw new ConfigurationException(stopped.getMessage().replace(" (TIDEMARK_FEEDS:1)", ""));
        }
    }
}

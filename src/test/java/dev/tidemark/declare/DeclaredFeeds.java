package dev.tidemark.declare;

import dev.tidemark.declare.tokens.TokenSettings;
import dev.tidemark.feed.Feeds;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
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
        return resolve(catalogue, properties, requireIndexes, false, tokens);
    }

    static Feeds resolveRequiringAccess(Catalogue catalogue, Map<String, String> properties) {
        return resolve(catalogue, properties, false, true, COMPLETE_TOKEN_SETTINGS);
    }

    private static Feeds resolve(
            Catalogue catalogue,
            Map<String, String> properties,
            boolean requireIndexes,
            boolean requireAccess,
            TokenSettings tokens) {
        FeedsConfig config = new FeedsConfig() {
            @Override
            public Map<String, String> feeds() {
                return properties;
            }

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
        return new FeedRegistry(config, new FeedCheck(tokens, catalogue)).feeds();
    }
}

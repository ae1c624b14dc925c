package dev.tidemark.http.access;

import dev.tidemark.feed.Access;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.FeedHealth;
import dev.tidemark.framework.Identities;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jboss.logging.Logger;

/** Checks whether the caller of a request may read a feed, before any parameter of the request is parsed. */
@Singleton
public class Admission {

    private static final Logger LOG = Logger.getLogger(Admission.class);

    private static final Problem NO_TOKEN = Problem.missingToken("this feed requires a bearer token");

    /** Does not say what is wrong with the token, because that would mostly help attackers who forge tokens. */
    private static final Problem INVALID_TOKEN =
            Problem.invalidToken("the token has expired, or this server does not trust it");

    private static final Problem KEYS_UNAVAILABLE =
            Problem.of(ProblemCode.UNAVAILABLE, "the keys that verify tokens cannot be fetched at the moment");

    private static final Problem NOT_ALLOWED =
            Problem.of(ProblemCode.FORBIDDEN, "the token is valid, but does not allow its bearer to read this");

    private final IdentityProviderManager identities;
    private final FeedHealth health;
    private final String rolesClaim;
    private final Duration clockSkew;

    /** The feeds and claims that have been logged, as {@code feed claim}. */
    private final Set<String> loggedClaims = ConcurrentHashMap.newKeySet();

    Admission(
            IdentityProviderManager identities,
            FeedHealth health,
            TokenConfig config,
            @ConfigProperty(name = "mp.jwt.verify.clock.skew", defaultValue = "60") int clockSkewSeconds) {
        this.identities = identities;
        this.health = health;
        this.rolesClaim = config.rolesClaim();
        this.clockSkew = Duration.ofSeconds(clockSkewSeconds);
    }

    /**
     * Emits the caller if they may read the feed. If the feed is public, a token in the request is ignored.
     *
     * @return the caller; fails with a {@link Problem}: {@code unauthorized} or {@code forbidden}, which reveal only
     *     that the feed exists and is not public; {@code feed_unavailable} if the feed no longer matches its table; or
     *     {@code unavailable} if the keys that verify tokens cannot be fetched
     */
    public Uni<Caller> admit(Feed feed, RoutingContext request) {
        Access access = feed.access();
        if (access.isPublic()) {
            return Uni.createFrom().item(() -> requireHealthy(feed, Caller.ANYBODY));
        }
        return token(request).map(token -> {
            BearerToken bearer = token.orElseThrow(() -> NO_TOKEN);
            Caller caller = bearer.callerFor(access).orElseThrow(() -> {
                logMissingClaims(feed, bearer);
                return NOT_ALLOWED;
            });
            return requireHealthy(feed, caller);
        });
    }

    /** Logs each claim only once for a feed, because any holder of a token can repeat the request. */
    private void logMissingClaims(Feed feed, BearerToken token) {
        token.missingClaims(feed.access(), rolesClaim)
                .filter(claim -> loggedClaims.add(feed.name() + ' ' + claim))
                .forEach(claim -> LOG.warnf(
                        "A request for the feed %s was forbidden, because its token is valid but lacks the claim %s. Further"
                                + " ones are not logged",
                        feed.name(), claim));
    }

    private Caller requireHealthy(Feed feed, Caller caller) {
        if (health.brokenFeeds().containsKey(feed.name())) {
            // Checks again for later requests, because the table may have been repaired.
            health.recheck().subscribe().with(rechecked -> {});
            throw Problem.FEED_UNAVAILABLE;
        }
        return caller;
    }

    /**
     * Emits the token of the request, if there is one.
     *
     * @return the token; fails with a {@link Problem} if the token is invalid or cannot be verified
     */
    public Uni<Optional<BearerToken>> token(RoutingContext request) {
        // Verification may fetch keys, and then ends on another thread.
        Context context = Vertx.currentContext();
        return Identities.authenticate(request, identities)
                .emitOn(task -> context.runOnContext(now -> task.run()))
                .map(this::token)
                .onFailure(AuthenticationFailedException.class)
                .transform(Admission::rejection)
                .onFailure(Admission::isMalformedClaim)
                .transform(malformed -> NOT_ALLOWED);
    }

    /**
     * Whether the signature is valid, but a claim is a number that is too large for any numeric type, or
     * {@code groups} is not a list. The library reports neither as an authentication failure.
     */
    private static boolean isMalformedClaim(Throwable failure) {
        return failure instanceof NumberFormatException || failure instanceof ClassCastException;
    }

    /** Returns the problem of a failed authentication. If a key cannot be fetched, the token may still be valid. */
    private static Problem rejection(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException) {
                return KEYS_UNAVAILABLE;
            }
        }
        return INVALID_TOKEN;
    }

    private Optional<BearerToken> token(SecurityIdentity identity) {
        if (identity.getPrincipal() instanceof JsonWebToken claims) {
            BearerToken token = new BearerToken(claims, identity.getRoles(), clockSkew);
            // With a clock skew of 0, the library still accepts a token for a minute after its expiry.
            if (token.isExpired()) {
                throw INVALID_TOKEN;
            }
            return Optional.of(token);
        }
        return Optional.empty();
    }
}
